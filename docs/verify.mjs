#!/usr/bin/env node
// Proves an exported competition in Claim from its file alone: node docs/verify.mjs FILE.jsonl.gz
//
// Written from docs/export.md and docs/games/claim.md, not from the arena's code, so that the two
// can be held against each other. It derives commitment, entrants digest, deals, bots' seeds, pairings
// of round robins and of ladder slots, plays every match by the rules, and counts the table again. It
// fits no ratings: it takes those that the file states, and what match-making was told, as they are.
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

const FAULTS = ["illegal_action", "timeout", "crash"], ENDED = ["complete", "cancelled"];
const DRAWN = ["round_robin", "challenge", "ladder"], problems = [], open = [], counts = {};
const KNOWN = [...DRAWN, "swiss", "double_elimination", "gauntlet", "test", "final"];
const PAIRS_OF_A_SERIES = 8, MAX_PAIRS_OF_A_SLOT = 2000, GROUPS_OF_A_VERSION = 5;

function prove(what, about, holds, problem) {
  counts[what] = (counts[what] ?? 0) + 1;
  if (!holds) problems.push(`${what}: ${about}: ${problem}`);
}

// ---- Random numbers: SHA-256 in counter mode, as 8-byte big-endian words.

function* words(seed, label) {
  for (let block = 0n; ; block++) {
    const counter = Buffer.from(block.toString(16).padStart(16, "0"), "hex");
    const digest = createHash("sha256").update(seed).update(label, "ascii").update(counter).digest();
    for (const at of [0, 8, 16, 24]) yield digest.readBigUInt64BE(at);
  }
}
function below(stream, n) {
  const limit = (1n << 64n) - ((1n << 64n) % BigInt(n));
  let word = limit;
  while (word >= limit) word = stream.next().value;
  return Number(word % BigInt(n));
}
function shuffled(stream, list) {
  for (let i = list.length - 1; i > 0; i--) {
    const j = below(stream, i + 1);
    [list[i], list[j]] = [list[j], list[i]];
  }
  return list;
}

const sha256 = (data) => createHash("sha256").update(data).digest("hex");
const same = (left, right) => canonical(left) === canonical(right);
const compare = (left, right) => (left < right ? -1 : Number(left > right));
const keys = (x, y) => x.map((part, at) => part - y[at]).find((difference) => difference !== 0) ?? 0;
const sorted = (list, key) => [...list].sort((a, b) => keys(key(a), key(b)));

function secret(event, what, ...rest) {
  const message = [`interrex/${what}/1`, event.id, event.entrants_digest, ...rest].join("|");
  return createHmac("sha256", Buffer.from(event.key, "hex")).update(message, "ascii").digest();
}

// ---- JSON as it enters a digest: keys sorted, no spaces, ASCII.

function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value !== null && typeof value === "object")
    return `{${Object.keys(value).sort().map((key) => `${canonical(key)}:${canonical(value[key])}`).join(",")}}`;
  const escaped = (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return (JSON.stringify(value) ?? "null").replace(/[\u0080-\uffff]/g, escaped);
}
function digestOf({ format, game, rules_version, options, seats, seed, deal, plies: all, result }) {
  const plies = all.map(({ seat, action, forced }) => (forced ? { seat, action, forced } : { seat, action }));
  return sha256(canonical({ format, game, rules_version, options, seats, seed, deal, plies, result }));
}

// ---- The rules of Claim.

const FACTIONS = [..."GKUDX"], LAST = 52, faction = (card) => card[0], value = (card) => Number(card[1]);
function dealOf(seed) {
  const values = (name) => [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].slice(name === "K" ? 2 : 0);
  const deck = FACTIONS.flatMap((name) => values(name).map((n) => name + n));
  const cards = shuffled(words(Buffer.from(seed, "hex"), "claim/deck"), ["G0", "G0", "G0", "G0", ...deck]);
  return { first: 0, hands: [cards.slice(0, 13), cards.slice(13, 26)], deck: cards.slice(26) };
}
class Claim {
  followers = [[], []]; scored = [[], []]; plays = 0; leader = 0; led = null;
  constructor(deal) { Object.assign(this, structuredClone(deal)); }
  actor = () => (this.led === null ? this.leader : 1 - this.leader);
  legal() {
    const hand = [...new Set(this.hands[this.actor()])];
    const follows = (card) => this.led === null || faction(card) === faction(this.led);
    return hand.some(follows) ? hand.filter((card) => follows(card) || faction(card) === "X") : hand;
  }
  play(card) {
    const hand = this.hands[this.actor()];
    hand.splice(hand.indexOf(card), 1);
    this.plays++;
    if (this.led === null) this.led = card;
    else this.close([this.led, card], answerWins(this.led, card) ? 1 - this.leader : this.leader);
  }
  close(trick, winner) {
    const recruiting = this.plays <= LAST / 2, loser = 1 - winner;
    if (recruiting) for (const seat of [winner, loser]) this.followers[seat].push(this.deck.shift());
    for (const card of trick.filter((each) => !recruiting || faction(each) === "U"))
      this.scored[faction(card) === "D" ? loser : winner].push(card);
    if (this.plays === LAST / 2) this.hands = this.followers;
    Object.assign(this, { leader: winner, led: null });
  }
  result() {
    const piles = FACTIONS.map((name) => this.scored.map((pile) => pile.filter((card) => faction(card) === name)));
    const votes = [0, 0];
    for (const [mine, other] of piles) {
      const best = [mine, other].map((pile) => Math.max(-1, ...pile.map(value)));
      const ahead = mine.length - other.length || best[0] - best[1];
      if (ahead !== 0) votes[ahead > 0 ? 0 : 1]++;
    }
    const cards = Object.fromEntries(FACTIONS.map((name, i) => [name, piles[i].map((p) => p.length)]));
    return { ranks: [votes[0] < votes[1] ? 2 : 1, votes[1] < votes[0] ? 2 : 1], score: { votes, cards } };
  }
}
function answerWins(led, answer) {
  if ([faction(led), "X"].includes(faction(answer))) return value(answer) > value(led);
  return faction(led) === "G" && faction(answer) === "K";
}

// What is wrong with a replay by the rules; null: nothing.
function fault(replay) {
  const { ending, at_fault, ranks, score } = replay.result;
  if (!same(replay.deal, dealOf(replay.seed))) return "the seed gives another deal";
  const game = new Claim(replay.deal);
  for (const [number, ply] of replay.plies.entries()) {
    if (game.plays === LAST || ply.seat !== game.actor()) return `ply ${number}: seat ${ply.seat} is not to move`;
    const legal = game.legal();
    if (!legal.includes(ply.action)) return `ply ${number}: ${ply.action} is not legal`;
    if ((ply.forced === true) !== (legal.length === 1)) return `ply ${number}: wrong forced mark`;
    game.play(ply.action);
  }
  if (digestOf(replay) !== replay.digest) return "another digest";
  if (ending === "completed") {
    const right = { ending, at_fault: null, ...game.result() };
    return game.plays === LAST && same(right, replay.result) ? null : "not the result of its plies";
  }
  if (score !== null || game.plays === LAST) return "a match that broke off has no score and is not over";
  const nothing = replay.plies.length === 0 && at_fault === null && ranks === null;
  if (ending === "no_contest") return nothing ? null : "was no contest and has plies or ranks";
  if (![...FAULTS, "resigned"].includes(ending)) return `nothing ends as ${ending}`;
  const moves = at_fault === game.actor() && game.legal().length > 1;
  if (replay.plies.length > 0 && !moves) return "another seat is to move";
  return same(ranks, [at_fault === 0 ? 2 : 1, at_fault === 1 ? 2 : 1]) ? null : "wrong ranks";
}

// ---- Who meets whom.

// Of an event in which everybody meets everybody, or a slot of a ladder; null: not known here.
function grouped({ event, entrants }) {
  const draw = words(secret(event, "draw", "seats"), "draw");
  const order = shuffled(draw, [...entrants].sort((a, b) => compare(a.bot_version, b.bot_version)));
  const every = order.flatMap((first, place) => order.slice(place + 1).map((second) => [first, second]));
  const isSlot = event.format === "ladder", isTold = isSlot && order.every((each) => each.met && each.pairs !== null);
  const room = isSlot ? Math.max(1, Math.floor(MAX_PAIRS_OF_A_SLOT / event.pairs)) : Infinity;
  const wanted = isTold ? Math.min(room, Math.ceil((order.length * GROUPS_OF_A_VERSION) / 2)) : room;
  if (every.length > wanted && !isTold) return null;
  const found = every.length <= wanted ? every : matched(order, room, wanted);
  return shuffled(draw, found).map((group) => shuffled(draw, group).map((each) => each.bot_version));
}
function matched(order, room, wanted) {
  const elo = (a) => a.rating ?? 0, error = (a) => (a.error === null ? 350 : Math.max(a.error, 1)), found = [];
  const variance = (a) => error(a) * error(a), gap = (a, b) => Math.abs(elo(a) - elo(b));
  const lead = (a, b) => Math.trunc((2 * gap(a, b)) / Math.sqrt(variance(a) + variance(b)));
  order.forEach((a, place) => Object.assign(a, { place, groups: 0, rivals: new Set(), first: new Set(a.met) }));
  const ranked = [...order].sort((a, b) => elo(a) - elo(b) || compare(a.bot_version, b.bot_version));
  const near = (a, b) => Math.abs(ranked.indexOf(a) - ranked.indexOf(b)) <= 3 || gap(a, b) <= 200;
  const isNew = (a) => a.first.size < Math.min(5, order.length - 1);
  const again = (a, b) => [[a, b], [b, a]].some(([x, y]) => isNew(x) && x.first.has(y.bot_version));
  const serve = (a, among) => {
    const free = among.filter((b) => b !== a && !a.rivals.has(b));
    const [b] = sorted(free, (b) => [again(a, b), !near(a, b), lead(a, b), b.groups, b.place]);
    for (const [x, y] of b ? [[a, b], [b, a]] : []) x.groups++, x.rivals.add(y), x.first.add(y.bot_version);
    return b !== undefined && found.push([a, b]);
  };
  const turns = sorted(order, (a) => [-a.waited, -variance(a), a.pairs, a.place]);
  for (const a of turns) if (a.groups === 0 && found.length < room) serve(a, order);
  for (const a of turns) while (isNew(a) && found.length < room && serve(a, order));
  for (let able = order; able.length > 0 && found.length < wanted; ) {
    const [a] = sorted(able, (each) => [-variance(each) / (1 + each.groups), each.place]);
    if (!serve(a, order.filter((b) => near(a, b)))) able = able.filter((each) => each !== a);
  }
  return found;
}

// The groups of all pairs in their order; null where this program does not know the format.
function drawn(book) {
  if (!DRAWN.includes(book.event.format)) return null;
  const { rounds, departures } = book, all = [], groups = grouped(book);
  for (const round of rounds) {
    const left = departures.filter((each) => each.round < round.number).map((each) => each.bot_version);
    const met = groups.filter((group) => !group.some((version) => left.includes(version)));
    for (let first = 0; first < round.pairs; first += PAIRS_OF_A_SERIES)
      for (const group of met)
        for (let n = first; n < Math.min(round.pairs, first + PAIRS_OF_A_SERIES); n++) all.push(group);
  }
  return all;
}

// ---- The proofs of one event.

function proveEvent(book) {
  const { event, entrants, pairs, matches } = book, about = `event ${event.id}`;
  prove("commitment", about, sha256(Buffer.from(event.key, "hex")) === event.commitment, "another key");
  prove("file", about, KNOWN.includes(event.format) && ENDED.includes(event.state), `${event.state} ${event.format}`);
  const lines = entrants.map((each) => `${each.bot_id}:${each.sha256}\n`).sort(compare);
  prove("entrants", about, sha256(lines.join("")) === (event.entrants_digest ?? sha256("")), "another digest");
  const groups = drawn(book);
  if (groups === null) open.push(`not derived here: the pairings of ${about}, ${event.format}`);
  else prove("pairings", about, groups.length === pairs.length, `${pairs.length} pairs, drawn are ${groups.length}`);
  for (const [index, pair] of pairs.entries()) {
    const name = `${about} pair ${pair.number}`, legs = matches.filter((each) => each.pair === pair.number);
    const isWhole = pair.number === index && pair.legs === 2 && same(legs.map((each) => each.leg), [0, 1]);
    prove("file", name, isWhole, "a gap in the numbers, or other legs than 0 and 1");
    prove("seeds", name, secret(event, "deal", pair.number).toString("hex") === pair.seed, "another seed");
    const group = groups?.[index] ?? legs[0]?.players.map((player) => player.bot_version);
    for (const match of legs) proveMatch(book, pair, match, group);
  }
  for (const { id, pair } of matches) prove("file", `match ${id}`, pairs[pair]?.number === pair, "is of no pair");
}
function proveMatch({ event, entrants, departures }, pair, match, group) {
  const about = `event ${event.id} pair ${pair.number} leg ${match.leg} match ${match.id}`;
  const { result, replay, players } = match, versions = players.map((player) => player.bot_version);
  prove("pairings", about, same(versions, match.leg === 1 ? [group[1], group[0]] : group), "not the seating that was drawn");
  const seeds = [0, 1].map((seat) => secret(event, "bot", pair.number, match.leg, seat).toString("hex").slice(0, 32));
  prove("seeds", about, same(players.map((player) => player.bot_seed), seeds), "other seeds of its bots");
  const left = departures.some((each) => versions.includes(each.bot_version));
  prove("results", about, result !== null || left || event.state === "cancelled", "no result");
  if (result === null) return;
  const named = versions.map((id) => entrants.find((each) => each.bot_version === id))
    .map((each) => each && { bot: `${each.owner}/${each.bot}`, version: each.version });
  const { game, rules_version, options, seats } = event;
  const planned = { format: "replay/1", game, rules_version, options, seats, seed: pair.seed, players: named };
  for (const key in planned) prove("replays", about, same(replay[key], planned[key]), `${key} is not as planned`);
  const wrong = fault(replay);
  prove("replays", about, wrong === null, wrong);
  const { ending, at_fault, ranks } = replay.result, taken = { 1: 1, 0: 0.5, "-1": 0 };
  const credits = ranks && [ranks[1] - ranks[0], ranks[0] - ranks[1]].map((lead) => taken[lead]);
  const faults = ending === "no_contest" ? result.faults : FAULTS.includes(ending) ? [at_fault] : [];
  const played = { ending, at_fault, ranks, credits, faults, digest: replay.digest };
  for (const key in played) prove("results", about, same(result[key], played[key]), `its replay gives other ${key}`);
}

// ---- The table: counted over all pairs of which both legs count.

function tallied(books, entrants) {
  const rows = new Map(entrants.map((each) => [each.bot_version, { pairs: [], fared: [0, 0, 0], faults: 0 }]));
  for (const [{ number }, matches] of books.flatMap((book) => book.pairs.map((pair) => [pair, book.matches]))) {
    const legs = matches.filter((each) => each.pair === number && each.result !== null), got = new Map();
    const counts = legs.length === 2 && legs.every((leg) => leg.result.credits !== null && leg.annulled_at === null);
    for (const { result, players } of legs)
      for (const [seat, { bot_version }] of players.entries()) {
        const row = rows.get(bot_version), credit = result.credits?.[seat];
        if (row && result.faults.includes(seat)) row.faults++;
        if (row && counts) row.fared[2 - 2 * credit]++;
        got.set(bot_version, (got.get(bot_version) ?? 0) + credit / 2);
      }
    if (counts) for (const [version, mean] of got) rows.get(version)?.pairs.push(mean);
  }
  return rows;
}
function proveStandings(books, standings) {
  const { event, entrants } = books.at(-1);
  const rows = tallied(books.filter((book) => book.event.rules_version === event.rules_version), entrants);
  const versions = standings.map((row) => row.bot_version).sort(compare);
  prove("standings", "the table", same(versions, [...rows.keys()].sort(compare)), "other versions than entrants");
  const key = (row) => [row.rating === null ? -Infinity : Number(row.rating.toFixed(1)), Number(row.credit.toFixed(4))];
  const ahead = ([rating, credit], other) => rating > other[0] || (rating === other[0] && credit > other[1]);
  for (const row of standings.filter((each) => rows.has(each.bot_version))) {
    const { pairs, fared, faults } = rows.get(row.bot_version), about = `version ${row.bot_version}`;
    const mean = pairs.length ? pairs.reduce((sum, each) => sum + each, 0) / pairs.length : 0.5;
    const counted = [pairs.length, ...fared, faults], told = [row.pairs, row.wins, row.draws, row.losses, row.faults];
    prove("standings", about, same(told, counted), `pairs, won, drawn, lost, faults are ${told}, counted ${counted}`);
    prove("standings", about, Math.abs(mean - row.credit) < 1e-9, `credit ${row.credit}, counted ${mean}`);
    const rank = 1 + standings.filter((other) => ahead(key(other), key(row))).length;
    prove("standings", about, rank === row.rank, `rank ${row.rank}, by its rating ${rank}`);
  }
}

// ---- The file.
function main(path) {
  const lines = gunzipSync(readFileSync(path)).toString("utf8").trimEnd().split("\n").map((line) => JSON.parse(line));
  const of = (kind, event) => lines.filter((line) => line.kind === kind && (!event || line.event === event.id));
  prove("file", path, lines[0].format === "export/1", "no export/1");
  prove("file", path, same(lines.at(-1), { kind: "end", lines: lines.length - 1 }), "lines are missing");
  prove("file", path, new Set(of("match").map(({ id }) => id)).size === of("match").length, "a match is there twice");
  const books = of("event").map((event) => ({ event, entrants: of("entrant", event), departures: of("departure", event),
    rounds: of("round", event), pairs: of("pair", event), matches: of("match", event) }));
  for (const book of books) proveEvent(book);
  if (books.length) proveStandings(books, of("standing"));
}

try {
  main(process.argv[2]);
} catch (error) {
  problems.push(`file: ${process.argv[2]} is no export of Claim: ${error.message}`);
}
for (const [what, count] of Object.entries(counts)) console.log(`${what}: ${count} looked at`);
const end = problems.length ? "Something does not agree; see above." : open.length ? "The rest holds." : "All proofs hold.";
console.log([...problems, ...open, end].join("\n"));
process.exitCode = problems.length ? 1 : 0;

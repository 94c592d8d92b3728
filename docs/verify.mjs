#!/usr/bin/env node
// Proves exported competitions in Claim from their files alone: node docs/verify.mjs FILE.jsonl.gz ...
// Written from docs/export.md, docs/formats.md and docs/games/claim.md, not from the arena's code, so that the two
// can be held against each other. Ends with 0: what it looked at holds, 1: not all, 2: no file, 3: one is not of Claim.
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

const TAKEN = `ratings, errors and intervals; a format's own table; when the rule of a test was content; seeding and what
match-making was told; who left and what was annulled; names, limits and times`;
let problems, open, looked, called; // of a file: what is wrong, not derived, looked at by each proof; names of versions
function prove(proof, about, holds, problem) {
  (looked[proof] ??= new Set()).add(about);
  if (!holds) problems.push(`${proof}: ${about}: ${problem}`);
}
function agree(proof, about, told, right) {
  for (const [key, value] of Object.entries(right))
    prove(proof, about, same(told[key], value), `${key} is ${canonical(told[key])}, should be ${canonical(value)}`);
}

// ---- JSON as it enters a digest: keys sorted, no spaces, ASCII.
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value !== null && typeof value === "object")
    return `{${Object.keys(value).sort().map((key) => `${canonical(key)}:${canonical(value[key])}`).join(",")}}`;
  const escaped = (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return (JSON.stringify(value) ?? "null").replace(/[\u007f-\uffff]/g, escaped);
}
const same = (left, right) => canonical(left) === canonical(right);
const sorted = (list, key) => [...list].sort((a, b) => key(a) - key(b));

// ---- What follows from a key; random numbers: SHA-256 in counter mode, as 8-byte big-endian words.
const sha256 = (data) => createHash("sha256").update(data).digest("hex");
function secret({ id, key, entrants_digest }, what, ...rest) {
  const message = [`interrex/${what}/1`, id, entrants_digest, ...rest].join("|");
  return createHmac("sha256", Buffer.from(key, "hex")).update(message, "ascii").digest();
}
const drawOf = (event, purpose) => words(secret(event, "draw", purpose), "draw");
function* words(seed, label) {
  for (let block = 0n; ; block++) {
    const counter = Buffer.from(block.toString(16).padStart(16, "0"), "hex");
    const digest = createHash("sha256").update(seed).update(label, "ascii").update(counter).digest();
    for (const at of [0, 8, 16, 24]) yield digest.readBigUInt64BE(at);
  }
}
function shuffled(stream, list) {
  const mixed = [...list];
  for (let n = BigInt(list.length); n > 1n; n--) {
    let word = 2n ** 64n; // numbers from the last multiple of n on would favour the first places
    while (word >= 2n ** 64n - (2n ** 64n % n)) word = stream.next().value;
    [mixed[n - 1n], mixed[word % n]] = [mixed[word % n], mixed[n - 1n]];
  }
  return mixed;
}

// ---- The rules of Claim.
const FACTIONS = [..."GKUDX"], LAST = 52, FAULTS = ["illegal_action", "timeout", "crash"], value = (card) => +card[1];
function dealOf(seed) {
  const deck = FACTIONS.flatMap((name) => [..."0123456789"].slice(name === "K" ? 2 : 0).map((digit) => name + digit));
  const cards = shuffled(words(Buffer.from(seed, "hex"), "claim/deck"), ["G0", "G0", "G0", "G0", ...deck]);
  return { first: 0, hands: [cards.slice(0, 13), cards.slice(13, 26)], deck: cards.slice(26) };
}
function legalIn(hand, led) {
  const cards = [...new Set(hand)], follows = (card) => led === null || card[0] === led[0];
  return cards.some(follows) ? cards.filter((card) => follows(card) || card[0] === "X") : cards;
}
const answerWins = (led, answer) =>
  [led[0], "X"].includes(answer[0]) ? value(answer) > value(led) : led[0] === "G" && answer[0] === "K";
// Plays it again: what is wrong, else who is to move, with which cards, and the score piles.
function followed({ hands: dealt, deck: pile }, plies) {
  const deck = [...pile], followers = [[], []], scored = [[], []];
  let hands = structuredClone(dealt), leader = 0, actor = 0, led = null;
  for (const [number, { seat, action, forced = false }] of plies.entries()) {
    const legal = legalIn(hands[actor], led), recruits = number < LAST / 2;
    if (seat !== actor || !legal.includes(action) || forced !== (legal.length === 1))
      return { wrong: `ply ${number}: seat ${actor} has ${legal}, it is ${canonical(plies[number])}` };
    hands[seat].splice(hands[seat].indexOf(action), 1);
    if (led === null) [led, actor] = [action, 1 - seat];
    else {
      const winner = answerWins(led, action) ? seat : leader, loser = 1 - winner;
      if (recruits) for (const each of [winner, loser]) followers[each].push(deck.shift());
      for (const card of [led, action].filter((each) => !recruits || each[0] === "U"))
        scored[card[0] === "D" ? loser : winner].push(card);
      if (number === LAST / 2 - 1) hands = followers;
      [led, leader, actor] = [null, winner, winner];
    }
  }
  return { actor, legal: legalIn(hands[actor], led), scored };
}
function scoreOf(scored) {
  const votes = [0, 0], cards = {};
  for (const name of FACTIONS) {
    const [mine, other] = scored.map((pile) => pile.filter((card) => card[0] === name).map(value));
    const ahead = mine.length - other.length || Math.max(-1, ...mine) - Math.max(-1, ...other);
    if (ahead !== 0) votes[ahead > 0 ? 0 : 1]++;
    cards[name] = [mine.length, other.length];
  }
  return { ranks: [votes[0] < votes[1] ? 2 : 1, votes[1] < votes[0] ? 2 : 1], score: { votes, cards } };
}
// What is wrong with a replay by the rules; null: nothing.
function fault({ format, game, rules_version, options, seats, seed, deal, plies: all, result, digest }) {
  const plies = all.map(({ seat, action, forced }) => (forced ? { seat, action, forced } : { seat, action }));
  if (!same(deal, dealOf(seed))) return "its seed gives another deal";
  const { wrong, actor, legal, scored } = followed(deal, plies), { ending, at_fault } = result;
  if (wrong) return wrong;
  const signed = canonical({ format, game, rules_version, options, seats, seed, deal, plies, result });
  if (sha256(signed) !== digest) return "it has another digest";
  const isBroken = [...FAULTS, "resigned"].includes(ending) && (plies.length === 0 || legal.length > 1);
  const blamed = plies.length > 0 ? actor : Number(at_fault === 1); // before the first ply: who did not start
  const bare = { ending: plies.length > 0 ? "completed" : "no_contest", at_fault: null, ranks: null, score: null };
  const broken = isBroken && { ending, at_fault: blamed, ranks: blamed === 1 ? [1, 2] : [2, 1] };
  const right = { ...bare, ...(plies.length === LAST ? scoreOf(scored) : broken) };
  return same(result, right) ? null : `its result is ${canonical(result)}, by its plies ${canonical(right)}`;
}

// ---- Who meets whom in the round after those played, by the formats. No groups: the event is over.
const idsOf = (list) => list.map(({ bot_version }) => bot_version);
const seatsOf = ({ matches: [first] }) => idsOf(first?.players ?? []);
const twos = (list) => list.flatMap((one, at) => list.slice(at + 1).map((other) => [one, other]));
const seated = (draw, groups) => shuffled(draw, groups).map((group) => shuffled(draw, group));
const everybody = ({ event, ids }, draw = drawOf(event, "seats")) => seated(draw, twos(shuffled(draw, ids)));
const repeated = (groupsOf) => (book, { length }) => ({
  groups: length < book.event.rounds ? groupsOf(book).filter((group) => !group.some((id) => book.left.includes(id))) : [],
  ...(length > 0 && { pairs: book.rounds[length]?.pairs }), // as it was extended
});
function asTold({ event, rounds, pairs }, { length }, may = () => true) { // not derived: as the file has it
  const there = pairs.filter(({ round }) => round === length + 1).map(seatsOf);
  const groups = [...new Map(there.map((seats) => [canonical(seats), seats])).values()].filter(may);
  return { groups, byes: event.format === "swiss" ? rounds[length]?.byes : [], isTold: true };
}
const final = (book, played) => ({ ...asTold(book, played), pairs: book.rounds[played.length]?.pairs });
function slot(book, played) { // everybody where there is room; else match-making decides
  const wanted = Math.min(Math.max(1, Math.floor(2000 / book.event.pairs)), Math.ceil(book.ids.length * 2.5));
  return (twos(book.ids).length <= wanted ? repeated(everybody) : asTold)(book, played);
}
function challenged({ event, entrants }) {
  const isCalled = ({ bot_id }) => event.settings.challengers.includes(bot_id);
  const others = idsOf(entrants.filter((each) => !isCalled(each))), called = idsOf(entrants.filter(isCalled));
  return seated(drawOf(event, "pairing-1"), called.flatMap((one) => others.map((other) => [one, other])));
}
function test({ event, entrants, rounds, left }, { length }) { // nothing is drawn; a rule can be content after any round
  const isRuled = Boolean(event.settings.sprt), group = idsOf(sorted(entrants, ({ seed }) => seed));
  const isOver = length >= (isRuled ? rounds.length : event.rounds) || group.some((id) => left.includes(id));
  return { groups: isOver || group.length < 2 ? [] : [group], ...(isRuled && { pairs: rounds[length]?.pairs }) };
}
function swiss(book, played) {
  const { event } = book, ids = book.ids.filter((id) => !book.left.includes(id));
  const had = (id) => played.filter(({ byes }) => byes.includes(id)).length;
  const all = played.flatMap(({ points }) => points(book)), met = new Set(all.map((got) => Object.keys(got).sort().join()));
  const isNew = (two) => !met.has([...two].sort().join()), search = { steps: 10_000, isNew };
  if (played.length >= event.rounds || !twos(ids).some(isNew)) return { groups: [] };
  const draw = drawOf(event, `pairing-${played.length + 1}`);
  const order = sorted(shuffled(draw, ids), (id) => -all.reduce((sum, got) => sum + (got[id] ?? 0), had(id)));
  for (const bye of ids.length % 2 ? sorted([...order].reverse(), had) : [null]) {
    const pairs = pairedOff(order.filter((id) => id !== bye), search);
    if (pairs) return { groups: pairs.map((pair) => shuffled(draw, pair)), byes: bye ? [bye] : [] };
  }
  return asTold(book, played, isNew); // more than one has a bye, or there are too many ways
}
// The first with the nearest that is new to it, if then the rest can be paired too; null: no way is found.
function pairedOff([first, ...others], search) {
  if (first === undefined) return [];
  for (const other of others.filter((each) => search.isNew([first, each]))) {
    const rest = search.steps-- > 0 && pairedOff(others.filter((each) => each !== other), search);
    if (rest) return [[first, other], ...rest];
  }
  return null;
}
function eliminated(book, played) { // who has lost twice is out; the rest of a bracket anybody can follow by eye
  const lost = played.flatMap(({ points }) => points(book)).filter((got) => Object.values(got).includes(1));
  return asTold(book, played, (group) => group.every((id) => lost.filter((got) => got[id] === 0).length < 2));
}
const FORMATS = { round_robin: repeated(everybody), challenge: repeated(everybody), gauntlet: repeated(challenged),
  ladder: slot, test, swiss, double_elimination: eliminated, final };
// Points of the two of an encounter, none where no pair counts; who is out, or left before its end, gives them away.
function fought(group, pairs, drawn, { left, out }) {
  const legs = pairs.filter((_, at) => drawn[at] === group).map(({ matches }) => matches.map(({ result }) => result));
  const gone = group.map((id) => out.includes(id) || (left.includes(id) && legs.flat().includes(null)));
  const whole = legs.filter(([first, second]) => first?.credits && second?.credits);
  const taken = whole.reduce((sum, [first, second]) => sum + first.credits[0] + second.credits[1] - 1, 0);
  const isOver = gone[0] || gone[1], lead = isOver ? gone[1] - gone[0] : Math.sign(taken);
  const points = (by) => (isOver || whole.length > 0 ? (1 + by) / 2 : 0);
  return { [group[0]]: points(lead), [group[1]]: points(-lead) };
}
function proveRounds(book, about) {
  const { event, rounds, departures } = book, played = [];
  for (const round of [...rounds, null]) {
    const number = played.length + 1, name = `${about} round ${number}`, before = problems.length;
    const gone = departures.filter((each) => each.round < number);
    const known = { ...book, left: idsOf(gone), out: idsOf(gone.filter(({ departed }) => departed === "disqualified")) };
    const { groups, byes = [], isTold, pairs = event.pairs } = FORMATS[event.format](known, played);
    if (isTold && !played.at(-1)?.isTold) open.push(`who meets in ${about} (${event.format}) from round ${number} on`);
    if (!round) return prove("pairings", about, groups.length === 0 || event.state === "cancelled", "a round is missing");
    const series = Array.from({ length: Math.ceil(pairs / 8) }, (_, at) => Math.min(8, pairs - 8 * at));
    const drawn = series.flatMap((few) => groups.flatMap((group) => Array(few).fill(group)));
    const there = book.pairs.filter((pair) => pair.round === number);
    const told = { ...round, byes: [...round.byes].sort(), drawn: there.length };
    agree("pairings", name, told, { number, pairs, byes: [...byes].sort(), drawn: drawn.length });
    for (const [at, pair] of there.entries())
      agree("pairings", `${about} pair ${pair.number}`, { seats: seatsOf(pair) }, { seats: drawn[at] });
    if (problems.length > before) return open.push(`who meets in ${about} after round ${number}, as it hangs on that`);
    played.push({ byes, isTold, points: (then) => groups.map((group) => fought(group, there, drawn, then)) });
  }
}

// ---- The proofs of an event.
function proveEvent(book) {
  const { event, entrants, rounds, pairs, matches } = book, about = event.slot ? `slot ${event.slot}` : "the event";
  for (const { bot_version, owner, bot, version } of entrants) called[bot_version] = `${owner}/${bot} ${version}`;
  const isKnown = ["complete", "cancelled"].includes(event.state) && event.format in FORMATS && event.seats === 2;
  prove("file", about, isKnown, `${event.state}, ${event.format}, ${event.seats} seats: no such event is exported`);
  agree("commitment", about, event, { commitment: sha256(Buffer.from(event.key, "hex")) });
  const lines = entrants.map((each) => `${each.bot_id}:${each.sha256}\n`).sort();
  prove("entrants", about, sha256(lines.join("")) === (event.entrants_digest ?? sha256("")), "they give another digest");
  for (const match of matches) prove("file", `match ${match.id}`, pairs[match.pair]?.matches.push(match), "is of no pair");
  for (const [at, pair] of pairs.entries()) {
    const name = `${about} pair ${at}`, inTurn = (pairs[at - 1]?.round ?? 1) <= pair.round && pair.round <= rounds.length;
    const told = { ...pair, "in turn": inTurn, played: pair.matches.map(({ leg }) => leg) };
    agree("file", name, told, { number: at, legs: 2, "in turn": true, played: [0, 1] });
    agree("seeds", name, pair, { seed: secret(event, "deal", at).toString("hex") });
    for (const match of pair.matches) proveMatch(book, pair, match, `${name} leg ${match.leg} match ${match.id}`);
  }
  proveRounds(book, about);
}
function proveMatch({ event, departures }, pair, match, about) {
  const { leg, players, result, replay } = match, ids = idsOf(players), group = seatsOf(pair);
  match.counts = pair.matches.every((each) => each.result?.credits && !each.annulled_at);
  agree("pairings", about, { players: ids }, { players: leg === 1 ? group.reverse() : group });
  const seeds = [0, 1].map((seat) => secret(event, "bot", pair.number, leg, seat).toString("hex").slice(0, 32));
  agree("seeds", about, { bots: players.map(({ bot_seed }) => bot_seed) }, { bots: seeds });
  const isCut = event.state === "cancelled" || idsOf(departures).some((id) => ids.includes(id));
  if (!result || !replay) return prove("results", about, isCut && same(result, replay), "it has no result, or no replay");
  const { game, rules_version, options, seats } = event, { ending, at_fault, ranks } = replay.result;
  const planned = { format: "replay/1", game, rules_version, options, seats, seed: pair.seed };
  const names = replay.players.map(({ bot, version }) => `${bot} ${version}`);
  agree("replays", about, { ...replay, players: names }, { ...planned, players: ids.map((id) => called[id]) });
  const wrong = fault(replay);
  prove("replays", about, wrong === null, wrong);
  const credits = ranks && [(1 + ranks[1] - ranks[0]) / 2, (1 + ranks[0] - ranks[1]) / 2];
  const faults = ending === "no_contest" ? result.faults : FAULTS.includes(ending) ? [at_fault] : [];
  agree("results", about, result, { ending, at_fault, ranks, credits, faults, digest: replay.digest });
}

// ---- The table: counted over all pairs of which both legs count.
function tally({ bot_version: id }, matches) {
  const seat = ({ players }) => idsOf(players).indexOf(id), its = matches.filter((each) => each.result && seat(each) >= 0);
  const credits = its.filter(({ counts }) => counts).map((match) => match.result.credits[seat(match)]);
  const [wins, draws, losses] = [1, 0.5, 0].map((credit) => credits.filter((each) => each === credit).length);
  const faults = its.filter((match) => match.result.faults.includes(seat(match))).length;
  const credit = credits.length > 0 ? (wins + draws / 2) / credits.length : 0.5;
  return { pairs: credits.length / 2, wins, draws, losses, faults, credit: credit.toFixed(9) };
}
function proveStandings(books, standings) {
  const { entrants } = books.at(-1), matches = books.flatMap((book) => book.matches);
  const rated = books.filter(({ event }) => event.state === "complete").at(-1)?.ratings ?? [];
  agree("standings", "the table", { versions: idsOf(standings).sort() }, { versions: idsOf(entrants).sort() });
  const strength = ({ rating, credit }) => 1e6 * (rating ?? -1e5).toFixed(1) + Number(credit.toFixed(4));
  for (const row of standings) {
    const { value: rating = null, error = null } = rated.find((each) => each.bot_version === row.bot_version) ?? {};
    const rank = 1 + standings.filter((other) => strength(other) > strength(row)).length;
    const told = { ...row, credit: row.credit.toFixed(9) }, right = { rank, rating, error, ...tally(row, matches) };
    agree("standings", row.bot_version, told, right);
  }
}

// ---- The file.
function bookOf(event, of) {
  const entrants = of("entrant"), pairs = of("pair").map((pair) => ({ ...pair, matches: [] }));
  const [departures, rounds, matches, ratings] = ["departure", "round", "match", "rating"].map(of);
  return { event, entrants, ids: idsOf(entrants).sort(), departures, rounds, pairs, matches, ratings };
}
function examine(path) { // false: it is not of Claim
  const lines = gunzipSync(readFileSync(path)).toString().trimEnd().split("\n").map((line) => JSON.parse(line));
  const of = (kind, id) => lines.filter((line) => line.kind === kind && line.event === id);
  const events = lines.filter(({ kind }) => kind === "event");
  if (!events.every(({ game, rules_version }) => game === "claim" && rules_version === 1)) return false;
  agree("file", "all lines", { ...lines[0], ...lines.at(-1) }, { format: "export/1", kind: "end", lines: lines.length - 1 });
  const slots = events.map(({ format }, at) => (format === "ladder" ? events[0].slot + at : null));
  agree("file", "all events", { slots: events.map(({ slot }) => slot) }, { slots });
  const books = events.map((event) => bookOf(event, (kind) => of(kind, event.id)));
  for (const book of books) proveEvent(book);
  if (books.length > 0) proveStandings(books, of("standing"));
}
function report(path) {
  [problems, open, looked, called] = [[], [], {}, {}];
  try {
    if (examine(path) === false) return console.log(`${path}: another game than Claim, rules 1: nothing was looked at`) ?? 3;
  } catch (error) {
    problems.push(`file: it cannot be read as an export of Claim: ${error.message}`);
  }
  const counts = Object.entries(looked).map(([proof, { size }]) => `${proof} ${size}`);
  const notes = [...open.map((each) => `not derived here: ${each}`), `taken as it stands: ${TAKEN}`];
  const end = problems.length > 0 ? "Something does not agree; see above." : "All that was looked at holds.";
  const text = [`${path}: looked at ${counts.join(", ")}`, ...notes, ...problems, end].join("\n");
  console.log(text.replace(/\b[0-9a-f]{32}\b/g, (id) => called[id] ?? id).replace(/[^\n -~]/g, "?"));
  return problems.length > 0 ? 1 : 0;
}
const codes = process.argv.slice(2).map(report);
if (codes.length === 0) console.log("node docs/verify.mjs FILE.jsonl.gz ...");
process.exitCode = [1, 3, 0].find((code) => codes.includes(code)) ?? 2;

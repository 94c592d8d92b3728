// Proves exported competitions in Claim from their files alone: node docs/verify.mjs FILE.jsonl.gz ...
// Written from docs/export.md, docs/formats.md and docs/games/claim.md, not from the arena's code, so that the two
// can be held against each other. Ends with 0: what it looked at holds, 1: not all, 2: no file, 3: one is not of Claim.
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

const TAKEN = "ratings, intervals, a format's own table, seeding, departures, names, limits, times; see docs/export.md";
let problems, open, looked, called; // of a file: what is wrong, not derived, looked at by each proof; names of versions
function prove(proof, about, holds, problem) {
  (looked[proof] ??= new Set()).add(about);
  if (!holds) problems.push(`${proof}: ${about}: ${problem}`);
}
function agree(proof, about, told, right) {
  for (const [key, value] of Object.entries(right))
    prove(proof, about, same(told[key], value), `${key} is ${canonical(told[key])}, should be ${canonical(value)}`);
}
const same = (left, right) => canonical(left) === canonical(right);
const sorted = (list, key) => [...list].sort((a, b) => key(a) - key(b));

// ---- What follows from a key; random numbers: SHA-256 in counter mode, as 8-byte big-endian words.
function canonical(value) { // JSON as it enters a digest: keys sorted, no spaces, ASCII
  const inOrder = (each) => Object.fromEntries(Object.keys(each).sort().map((key) => [key, each[key]]));
  const isRecord = (each) => each instanceof Object && !Array.isArray(each);
  const text = JSON.stringify(value, (_, each) => (isRecord(each) ? inOrder(each) : each)) ?? "null";
  return text.replace(/[\u007f-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest("hex");
const secret = ({ id, key, entrants_digest: of }, what, ...rest) =>
  createHmac("sha256", Buffer.from(key, "hex")).update([`interrex/${what}/1`, id, of, ...rest].join("|")).digest();
function* words(seed, label) {
  for (let block = 0n; ; block++) {
    const digest = Buffer.from(sha256(seed, label, Buffer.from(block.toString(16).padStart(16, "0"), "hex")), "hex");
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
function followed({ hands, deck }, plies) { // what is wrong, else who is to move, with which cards, and the score piles
  let actor = 0, led = null, followers = [[], []], scored = [[], []];
  for (const [number, { seat, action, forced = false }] of plies.entries()) {
    const legal = legalIn(hands[actor], led), recruits = number < LAST / 2;
    if (seat !== actor || !legal.includes(action) || forced !== (legal.length === 1))
      return { wrong: `ply ${number}: seat ${actor} has ${legal}, it is ${canonical(plies[number])}` };
    hands[seat].splice(hands[seat].indexOf(action), 1);
    if (led === null) [led, actor] = [action, 1 - seat];
    else {
      const winner = answerWins(led, action) ? seat : 1 - seat, loser = 1 - winner;
      if (recruits) for (const each of [winner, loser]) followers[each].push(deck.shift());
      for (const card of [led, action].filter((each) => !recruits || each[0] === "U"))
        scored[card[0] === "D" ? loser : winner].push(card);
      if (number === LAST / 2 - 1) hands = followers;
      [led, actor] = [null, winner];
    }
  }
  return { actor, legal: legalIn(hands[actor], led), scored };
}
function scoreOf(scored) {
  const valuesOf = (name) => scored.map((pile) => pile.filter((card) => card[0] === name).map(value));
  const lead = ([mine, other]) => mine.length - other.length || Math.max(-1, ...mine) - Math.max(-1, ...other);
  const votes = [1, -1].map((sign) => FACTIONS.filter((name) => sign * lead(valuesOf(name)) > 0).length);
  const cards = Object.fromEntries(FACTIONS.map((name) => [name, valuesOf(name).map(({ length }) => length)]));
  return { ending: "completed", ranks: votes.map((n) => (n < Math.max(...votes) ? 2 : 1)), score: { votes, cards } };
}
// What a replay has to say, and what is wrong with its plies.
function rightOf({ format, game, rules_version, options, seats, seed, deal, plies: all, result }) {
  const plies = all.map(({ seat, action, forced }) => ({ seat, action, forced })), { ending, at_fault } = result;
  const digest = sha256(canonical({ format, game, rules_version, options, seats, seed, deal, plies, result }));
  const { wrong, actor, legal, scored } = followed(dealOf(seed), plies), isBegun = plies.length > 0;
  if (wrong) return { wrong, deal: dealOf(seed), digest };
  const blamed = isBegun ? actor : Number(at_fault === 1); // before the first ply: who did not start
  const isBroken = [...FAULTS, "resigned"].includes(ending) && (!isBegun || legal.length > 1);
  const broken = isBroken && { ending, at_fault: blamed, ranks: [2 - blamed, 1 + blamed] };
  const bare = { ending: isBegun ? "unfinished" : "no_contest", at_fault: null, ranks: null, score: null };
  return { deal: dealOf(seed), digest, result: { ...bare, ...(plies.length === LAST ? scoreOf(scored) : broken) } };
}

// ---- Who meets whom in the round after those played, by the formats. No groups: the event is over.
const idsOf = (list) => list.map(({ bot_version }) => bot_version);
const seedingOf = ({ entrants }) => idsOf(sorted(entrants, ({ seed }) => seed));
const twos = (list) => list.flatMap((one, at) => list.slice(at + 1).map((other) => [one, other]));
const drawOf = ({ event }, purpose) => words(secret(event, "draw", purpose), "draw");
const seated = (draw, groups) => shuffled(draw, groups).map((group) => shuffled(draw, group));
const everybody = (book, draw = drawOf(book, "seats")) => seated(draw, twos(shuffled(draw, book.ids)));
function challenged({ event, entrants }) {
  const ids = (are) => idsOf(entrants.filter(({ bot_id }) => event.settings.challengers.includes(bot_id) === are));
  return seated(drawOf({ event }, "pairing-1"), ids(true).flatMap((one) => ids(false).map((other) => [one, other])));
}
const repeated = (groupsOf, isRuled = () => false) => (book, { length }) => { // extended: again, without who left
  const isOver = length >= (isRuled(book) ? book.rounds.length : book.event.rounds);
  const groups = isOver ? [] : groupsOf(book).filter((group) => !group.some((id) => book.left.includes(id)));
  return { groups, ...((length > 0 || isRuled(book)) && { pairs: book.rounds[length]?.pairs }) };
};
function asTold({ pairs }, { length }, may = () => true) { // not derived: as the file has it
  const there = pairs.filter(({ round }) => round === length + 1).map(({ seats }) => canonical(seats));
  return { groups: [...new Set(there)].map((seats) => JSON.parse(seats)).filter(may), isTold: true };
}
function slot(book, played) { // everybody where there is room; else match-making decides
  const wanted = Math.min(Math.max(1, Math.floor(2000 / book.event.pairs)), Math.ceil(book.ids.length * 2.5));
  return (twos(book.ids).length <= wanted ? repeated(everybody) : asTold)(book, played);
}
function swiss(book, played) {
  const ids = book.ids.filter((id) => !book.left.includes(id)), all = played.flatMap(({ points }) => points(book));
  const had = (id) => played.filter(({ byes }) => byes.includes(id)).length;
  const isNew = ([one, other]) => !all.some((got) => one in got && other in got), search = { steps: 10_000, isNew };
  if (played.length >= book.event.rounds || !twos(ids).some(isNew)) return { groups: [] };
  const draw = drawOf(book, `pairing-${played.length + 1}`);
  const order = sorted(shuffled(draw, ids), (id) => -all.reduce((sum, got) => sum + (got[id] ?? 0), had(id)));
  for (const bye of ids.length % 2 ? sorted([...order].reverse(), had) : [null]) {
    const pairs = pairedOff(order.filter((id) => id !== bye), search);
    if (pairs) return { groups: pairs.map((pair) => shuffled(draw, pair)), byes: bye ? [bye] : [] };
  }
  return { ...asTold(book, played, isNew), byes: book.rounds[played.length]?.byes }; // too many byes, or too many ways
}
function pairedOff([first, ...others], search) { // the first with the nearest new one that leaves a way for the rest
  if (first === undefined) return [];
  for (const other of others.filter((each) => search.isNew([first, each]))) {
    const rest = search.steps-- > 0 && pairedOff(others.filter((each) => each !== other), search);
    if (rest) return [[first, other], ...rest];
  }
  return null;
}
function eliminated(book, played) {
  const seeding = seedingOf(book), { bracket = [], met, points = () => [] } = played.at(-1) ?? {}, next = [];
  for (const [at, got] of points(book).entries()) {
    const encounter = met[at], [better, worse] = sorted(seeding.filter((id) => id in got), (id) => -got[id]);
    if (got[better] > got[worse] || ++encounter.draws > 2) encounter.ends = [better, worse];
  }
  let index = 0;
  goThrough(seeding, (two) => {
    const encounter = (bracket[index++] ??= { draws: 0 }), here = two.filter((id) => id && !book.left.includes(id));
    if (here.length < 2 && !two.includes(undefined)) encounter.ends ??= [here[0] ?? null, null];
    if (here.length === 2 && !encounter.ends) next.push(Object.assign(encounter, { two }));
    return encounter.ends ?? [];
  });
  const draw = drawOf(book, `pairing-${played.length + 1}`);
  return { groups: next.map(({ two }) => shuffled(draw, two)), bracket, met: next };
}
function goThrough(seeding, meet) { // a bracket, by who wins and loses where two meet; null: nobody, undefined: open
  const meetAll = (list) => {
    const ends = list.flatMap((id, at) => (at % 2 ? [meet([list[at - 1], id])] : []));
    return [0, 1].map((end) => ends.map((two) => two[end]));
  };
  let order = [0, 1];
  while (order.length < seeding.length) order = order.flatMap((place) => [place, 2 * order.length - 1 - place]);
  let [winners, losers] = meetAll(order.map((place) => seeding[place] ?? null));
  for (let round = 2; winners.length > 1; round++) {
    const [won, fallen] = meetAll(winners), [waiting] = meetAll(losers), half = fallen.length / 2;
    const turned = round % 2 ? [...fallen.slice(half), ...fallen.slice(0, half)] : fallen.reverse();
    [winners, [losers]] = [won, meetAll(waiting.flatMap((id, at) => [id, turned[at]]))];
  }
  const [unbeaten] = winners, [[first], [second]] = meetAll([unbeaten, ...losers]);
  meet([first, first === unbeaten ? null : second]);
}
const test = repeated((book) => twos(seedingOf(book)), ({ event }) => event.settings.sprt); // a rule ends it
const final = (book, played) => ({ ...asTold(book, played), pairs: book.rounds[played.length]?.pairs });
const FORMATS = { round_robin: repeated(everybody), challenge: repeated(everybody), gauntlet: repeated(challenged),
  test, ladder: slot, swiss, double_elimination: eliminated, final };
function fought(group, pairs, { left, out }) { // points of both; who is out, or left before its end, gives them away
  const legs = pairs.filter(({ seats }) => same(seats, group)).map((pair) => pair.matches.map(({ result }) => result));
  const gone = group.map((id) => out.includes(id) || (left.includes(id) && legs.flat().includes(null)));
  const whole = legs.filter((two) => two.every((result) => result?.credits));
  const taken = whole.reduce((sum, [first, second]) => sum + first.credits[0] - second.credits[0], 0);
  const isOver = gone.includes(true), lead = isOver ? gone[1] - gone[0] : Math.sign(taken);
  const points = (by) => (isOver || whole.length > 0 ? (1 + by) / 2 : 0);
  return { [group[0]]: points(lead), [group[1]]: points(-lead) };
}
function proveRounds(book, about) {
  const { event, rounds, departures } = book, played = [], rest = [...book.pairs];
  for (const round of [...rounds, null]) {
    const number = played.length + 1, before = problems.length, gone = departures.filter((each) => each.round < number);
    const now = { ...book, left: idsOf(gone), out: idsOf(gone.filter(({ departed }) => departed === "disqualified")) };
    const plan = FORMATS[event.format](now, played), { groups, byes = [], isTold, pairs = event.pairs } = plan;
    if (isTold && !played.at(-1)?.isTold) open.push(`who meets in ${about} (${event.format}) from round ${number} on`);
    const isOver = rest.length === 0 && (groups.length === 0 || event.state === "cancelled");
    if (!round) return prove("pairings", about, isOver, `a round is missing, or ${rest.length} pairs are too many`);
    const series = Array.from({ length: Math.ceil(Math.min(pairs, 1e4) / 8) }, (_, at) => Math.min(8, pairs - 8 * at));
    const drawn = series.flatMap((few) => groups.flatMap((group) => Array(few).fill(group)));
    const there = rest.splice(0, drawn.length), told = { ...round, byes: [...round.byes].sort(), drawn: there.length };
    agree("pairings", `${about} round ${number}`, told, { number, pairs, byes: [...byes].sort(), drawn: drawn.length });
    for (const [at, pair] of there.entries())
      agree("pairings", `${about} pair ${pair.number}`, pair, { round: number, seats: drawn[at] });
    if (problems.length > before) return open.push(`who meets in ${about} after round ${number}, as it hangs on that`);
    played.push({ ...plan, byes, points: (then) => groups.map((group) => fought(group, there, then)) });
  }
}

// ---- The proofs.
function proveEvent(book) {
  const { event, entrants, pairs, matches } = book, about = event.slot ? `slot ${event.slot}` : "the event";
  for (const { bot_version, owner, bot, version } of entrants) called[bot_version] = `${owner}/${bot} ${version}`;
  const isKnown = ["complete", "cancelled"].includes(event.state) && event.format in FORMATS && event.seats === 2;
  prove("file", about, isKnown, `${event.state}, ${event.format}, ${event.seats} seats: no such event is exported`);
  agree("commitment", about, event, { commitment: sha256(Buffer.from(event.key, "hex")) });
  const lines = entrants.map((each) => `${each.bot_id}:${each.sha256}\n`).sort().join("");
  prove("entrants", about, sha256(lines) === (event.entrants_digest ?? sha256("")), "they give another digest");
  for (const each of matches) prove("file", `match ${each.id}`, pairs[each.pair]?.matches.push(each), "is of no pair");
  for (const pair of pairs) pair.seats = idsOf(pair.matches[0]?.players ?? []);
  for (const [at, pair] of pairs.entries()) {
    const name = `${about} pair ${at}`, played = pair.matches.map(({ leg }) => leg);
    agree("file", name, { ...pair, played }, { number: at, legs: 2, played: [0, 1] });
    agree("seeds", name, pair, { seed: secret(event, "deal", at).toString("hex") });
    for (const match of pair.matches) proveMatch(book, pair, match, `${name} leg ${match.leg} match ${match.id}`);
  }
  proveRounds(book, about);
}
function proveMatch({ event, departures }, pair, match, about) {
  const { leg, players, result, replay } = match, ids = idsOf(players);
  match.counts = pair.matches.every((each) => each.result?.credits && !each.annulled_at);
  agree("pairings", about, { players: ids }, { players: leg === 1 ? pair.seats.toReversed() : pair.seats });
  const seeds = [0, 1].map((seat) => secret(event, "bot", pair.number, leg, seat).toString("hex").slice(0, 32));
  agree("seeds", about, { bots: players.map(({ bot_seed }) => bot_seed) }, { bots: seeds });
  const isCut = event.state === "cancelled" || idsOf(departures).some((id) => ids.includes(id));
  if (!result || !replay) return prove("results", about, isCut && result === replay, "it has no result, or no replay");
  const { game, rules_version, options, seats } = event, { ending, at_fault, ranks } = replay.result;
  const planned = { format: "replay/1", game, rules_version, options, seats, seed: pair.seed };
  const told = { ...replay, players: replay.players.map(({ bot, version }) => `${bot} ${version}`) };
  const { wrong, ...right } = rightOf(replay);
  agree("replays", about, told, { ...planned, players: ids.map((id) => called[id]), ...right });
  prove("replays", about, !wrong, wrong);
  const credits = ranks && [(1 + ranks[1] - ranks[0]) / 2, (1 + ranks[0] - ranks[1]) / 2];
  const faults = ending === "no_contest" ? result.faults : FAULTS.includes(ending) ? [at_fault] : [];
  agree("results", about, result, { ending, at_fault, ranks, credits, faults, digest: replay.digest });
}
function tally({ bot_version: id }, matches) { // over all pairs of which both legs count
  const at = (match) => idsOf(match.players).indexOf(id), its = matches.filter((each) => each.result && at(each) >= 0);
  const got = its.filter(({ counts }) => counts).map((each) => each.result.credits[at(each)]), pairs = got.length / 2;
  const [wins, draws, losses] = [1, 0.5, 0].map((credit) => got.filter((each) => each === credit).length);
  const faults = its.filter((match) => match.result.faults.includes(at(match))).length;
  return { pairs, wins, draws, losses, faults, credit: pairs > 0 ? (wins + draws / 2) / got.length : 0.5 };
}
function proveStandings(books, standings) {
  const { entrants } = books.at(-1), matches = books.flatMap((book) => book.matches);
  const rated = books.filter(({ event }) => event.state === "complete").at(-1)?.ratings ?? [];
  agree("standings", "the table", { versions: idsOf(standings).sort() }, { versions: idsOf(entrants).sort() });
  const worth = ({ pairs, rating, credit }) => 1e9 * !!pairs + 1e2 * (rating ?? -1e5).toFixed(1) + +credit.toFixed(4);
  for (const row of standings) {
    const { value: rating = null, error = null } = rated.find((each) => each.bot_version === row.bot_version) ?? {};
    const rank = 1 + standings.filter((other) => worth(other) > worth(row)).length;
    agree("standings", row.bot_version, row, { rank, rating, error, ...tally(row, matches) });
  }
}

// ---- The file.
const KINDS = "export event entrant departure round pair match rating place look standing end".split(" ");
function bookOf(event, of) {
  const entrants = of("entrant"), pairs = of("pair").map((pair) => ({ ...pair, matches: [] }));
  const [departures, rounds, matches, ratings] = ["departure", "round", "match", "rating"].map(of);
  return { event, entrants, ids: idsOf(entrants).sort(), departures, rounds, pairs, matches, ratings };
}
function examine(path) { // false: it is not of Claim
  const lines = gunzipSync(readFileSync(path)).toString().trimEnd().split("\n").map((line) => JSON.parse(line));
  const of = (kind, id) => lines.filter((line) => line.kind === kind && line.event === id), events = of("event");
  const slots = events.map(({ slot }) => slot), odd = lines.filter(({ kind }) => !KINDS.includes(kind));
  if (!events.every(({ game, rules_version }) => game === "claim" && rules_version === 1)) return false;
  const inTurn = events.map(({ format }, at) => (format === "ladder" ? slots[0] + at : null));
  const right = { format: "export/1", kind: "end", lines: lines.length - 1, slots: inTurn, "of no known kind": [] };
  agree("file", "all lines", { ...lines[0], ...lines.at(-1), slots, "of no known kind": odd }, right);
  const books = events.map((event) => bookOf(event, (kind) => of(kind, event.id)));
  for (const book of books) proveEvent(book);
  if (books.length > 0) proveStandings(books, of("standing"));
}
function report(path) {
  [problems, open, looked, called] = [[], [], {}, {}];
  try {
    if (examine(path) === false) return console.log(`${path}: another game than Claim, rules 1: not looked at`) ?? 3;
  } catch (error) {
    if (error.syscall) return console.log(`${path}: no file to look at: ${error.message}`) ?? 2;
    problems.push(`file: it cannot be read as an export of Claim: ${error.message}`);
  }
  const counts = Object.entries(looked).map(([proof, { size }]) => `${proof} ${size}`);
  const notes = [...open.map((each) => `not derived here: ${each}`), `taken as it stands: ${TAKEN}`];
  const end = problems.length > 0 ? "Something does not agree; see above." : "All that was looked at holds.";
  const text = [`${path}: looked at ${counts.join(", ") || "nothing"}`, ...notes, ...problems, end].join("\n");
  console.log(text.replace(/\b[0-9a-f]{32}\b/g, (id) => called[id] ?? id).replace(/[^\n -~]/g, "?"));
  return problems.length > 0 ? 1 : 0;
}
const codes = process.argv.slice(2).map(report);
process.exitCode = [1, 2, 3, 0].find((n) => codes.includes(n)) ?? console.log("node docs/verify.mjs FILE ...") ?? 2;

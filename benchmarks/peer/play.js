'use strict';

// Whole games on boardgame.io's own headless client.
// Usage: node play.js rules SECONDS SEATS: random games that long; prints what a second holds.
//        node play.js scripts GAMES SEATS: prints one line of JSON a game, its deal and its moves.

process.env.NODE_ENV = 'production';

const { Client } = require('boardgame.io/client');
const { Auction, asked, deal, legal } = require('./auction.js');

const WARM_GAMES = 30;
const [what, count, seats] = process.argv.slice(2).map((text) => Number(text) || text);

/** A small seeded generator (mulberry32), so that scripts are the same in every run. */
function generator(seed) {
  let at = seed;
  return () => {
    at = (at + 0x6d2b79f5) | 0;
    let mixed = Math.imul(at ^ (at >>> 15), 1 | at);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

function shuffler(random) {
  return (items) => {
    const left = [...items];
    return items.map(() => left.splice(Math.floor(random() * left.length), 1)[0]);
  };
}

/** Play one game to its end and give its moves as [seat, name, ...arguments]. */
function play(dealt, choose) {
  const game = { ...Auction, setup: (context) => Auction.setup(context, dealt) };
  const client = Client({ game, numPlayers: seats, debug: false });
  const moves = [];
  for (;;) {
    const { G, ctx, _stateID } = client.store.getState();
    if (ctx.gameover !== undefined) return moves;
    if (_stateID !== moves.length) throw new Error(`refused: ${moves[moves.length - 1]}`);
    const seat = asked(G);
    const [name, ...rest] = choose(legal(G));
    // What client.moves does, without making the client another player first: faster.
    client.store.dispatch({
      type: 'MAKE_MOVE', payload: { type: name, args: rest, playerID: String(seat) },
    });
    moves.push([seat, name, ...rest]);
  }
}

/** As at a table, and as harness.script does: mostly the smallest bid, so that games are long. */
function cautious(random) {
  return (moves) => {
    if (moves.length > 1 && random() < 0.2) return moves[moves.length - 1];
    return moves[random() < 0.8 ? 0 : Math.floor(random() * Math.min(moves.length, 3))];
  };
}

if (what === 'scripts') {
  for (let game = 0; game < count; game += 1) {
    const random = generator(game);
    const dealt = deal(shuffler(random));
    const moves = play(dealt, cautious(random));
    process.stdout.write(`${JSON.stringify({ deal: dealt, moves })}\n`);
  }
} else {
  const random = generator(1);
  const choose = (moves) => moves[Math.floor(random() * moves.length)];
  for (let game = 0; game < WARM_GAMES; game += 1) play(deal(shuffler(random)), choose);
  let actions = 0;
  let games = 0;
  const began = process.hrtime.bigint();
  const elapsed = () => Number(process.hrtime.bigint() - began) / 1e9;
  while (elapsed() < count) {
    actions += play(deal(shuffler(random)), choose).length;
    games += 1;
  }
  const seconds = elapsed();
  process.stdout.write(`${JSON.stringify({
    actions_per_s: Math.round((10 * actions) / seconds) / 10,
    games_per_s: Math.round((10 * games) / seconds) / 10,
  })}\n`);
}

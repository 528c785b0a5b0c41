'use strict';

// An open auction with secret money, of the size and rhythm of Winchester: nineteen plots, bids in
// steps of one note, the price divided over the others. Written the way that suits boardgame.io:
// every seat is active and the moves ask whose turn it is, which spares it two events a move.

const { ActivePlayers, INVALID_MOVE } = require('boardgame.io/core');

const NOTE = 1000;
const PLOTS = 19;
const TOKENS = ['movement', 'saloon', 'rumor'];
const OBJECTIVES = [
  'forests', 'deserts', 'prairies', 'riverside', 'railside',
  'saloon_square', 'mines', 'ranch_lands', 'rumors', 'movements',
];
const SHARED = ['all_terrains', 'five_plots', 'last_auction', 'dry_saloon', 'four_apart'];

function setup({ ctx, random }, setupData) {
  const dealt = setupData || deal(random.Shuffle);
  const seats = [...Array(ctx.numPlayers).keys()];
  return {
    phase: 'between',
    turn: 0,
    star: 0,
    plot: null,
    inside: [],
    standing: 0,
    leader: null,
    seats: seats.map((seat) => ({
      seat, plots: [], held: { movement: 0, saloon: 0, rumor: 0 }, duelToken: true,
    })),
    plots: [...Array(PLOTS).keys()].map((index) => ({
      number: index + 1,
      owner: null,
      token: TOKENS[index % TOKENS.length],
      card: index % 5 === 0,
    })),
    piles: SHARED.map((objective, index) => ({ objective, amount: (3 + index) * NOTE })),
    saloon: NOTE,
    boat: 'r1',
    locomotive: 't1',
    secret: {
      order: dealt.order,
      cash: seats.map(() => 8 * NOTE),
      objectives: seats.map((seat) => dealt.objectives.slice(2 * seat, 2 * seat + 2)),
    },
  };
}

function deal(shuffle) {
  const numbers = [...Array(PLOTS).keys()].map((index) => index + 1);
  return { order: shuffle(numbers), objectives: shuffle(OBJECTIVES) };
}

function playerView({ G, playerID }) {
  const { secret, ...open } = G;
  if (playerID === null || playerID === undefined) return open;
  return { ...open, own: { cash: secret.cash[playerID], objectives: secret.objectives[playerID] } };
}

function draw({ G, playerID }) {
  if (G.phase !== 'between' || Number(playerID) !== G.star) return INVALID_MOVE;
  G.plot = G.secret.order[G.turn];
  G.turn += 1;
  G.phase = 'auction';
  G.standing = 0;
  G.leader = null;
  G.inside = G.seats.map((_, index) => (G.star + index) % G.seats.length);
}

function bid({ G, playerID }, amount) {
  const seat = Number(playerID);
  if (G.phase !== 'auction' || G.inside[0] !== seat) return INVALID_MOVE;
  if (!Number.isInteger(amount / NOTE)) return INVALID_MOVE;
  if (amount <= G.standing || amount > G.secret.cash[seat]) return INVALID_MOVE;
  G.standing = amount;
  G.leader = seat;
  G.inside.push(G.inside.shift());
  settle(G);
}

function pass({ G, playerID }) {
  if (G.phase !== 'auction' || G.inside[0] !== Number(playerID)) return INVALID_MOVE;
  G.inside.shift();
  settle(G);
}

function settle(G) {
  if (G.inside.length === 0) {
    buy(G, G.star, Math.min(NOTE, G.secret.cash[G.star]));
  } else if (G.inside.length === 1 && G.leader !== null) {
    buy(G, G.leader, G.standing);
  }
}

function buy(G, buyer, price) {
  const others = G.seats.length - 1;
  const share = Math.floor(price / others / NOTE) * NOTE;
  const { cash } = G.secret;
  for (let seat = 0; seat < cash.length; seat += 1) {
    cash[seat] += seat === buyer ? -price : share;
  }
  const plot = G.plots[G.plot - 1];
  plot.owner = buyer;
  plot.card = false;
  G.seats[buyer].plots.push(plot.number);
  G.seats[buyer].held[plot.token] += 1;
  if (plot.token === 'saloon') {
    cash[buyer] += G.saloon;
    G.saloon = 0;
  }
  plot.token = null;
  G.saloon += price - share * others;
  G.star = buyer;
  G.plot = null;
  G.inside = [];
  G.phase = G.turn === PLOTS ? 'ended' : 'between';
}

const Auction = {
  name: 'auction',
  minPlayers: 2,
  maxPlayers: 5,
  disableUndo: true,
  setup,
  playerView,
  turn: { activePlayers: ActivePlayers.ALL },
  moves: {
    draw: { move: draw, client: false },
    bid: { move: bid, client: false },
    pass: { move: pass, client: false },
  },
  endIf: ({ G }) => (G.phase === 'ended' ? { cash: G.secret.cash } : undefined),
};

/** Give whose turn it is. */
function asked(G) {
  return G.phase === 'auction' ? G.inside[0] : G.star;
}

/** Give every legal move of the seat asked, as [name, ...arguments]: bids from cheapest, then pass. */
function legal(G) {
  if (G.phase === 'between') return [['draw']];
  if (G.phase === 'ended') return [];
  const moves = [];
  for (let amount = G.standing + NOTE; amount <= G.secret.cash[G.inside[0]]; amount += NOTE) {
    moves.push(['bid', amount]);
  }
  moves.push(['pass']);
  return moves;
}

module.exports = { Auction, asked, deal, legal };

'use strict';

// The peer's server in its best case: production mode, websocket only, undo off.
// Usage: node server.js PORT [FOLDER]: with a folder its file store, else its memory store.

process.env.NODE_ENV = 'production';

const { FlatFile, Server, SocketIO } = require('boardgame.io/server');
const { Auction } = require('./auction.js');

const [port, folder] = process.argv.slice(2);
const server = Server({
  games: [Auction],
  origins: [],
  // Without a store given, and without FLATFILE_DIR, boardgame.io keeps everything in memory.
  db: folder ? new FlatFile({ dir: folder }) : undefined,
  transport: new SocketIO({ socketOpts: { transports: ['websocket'], serveClient: false } }),
});
server.router.get('/healthz', (ctx) => {
  ctx.body = 'ok';
});
server.run({ port: Number(port) });

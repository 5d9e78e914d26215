// A bot that never names trumps and parts with its cheapest card. Run: SECRET=whsec_… node cheapest.js 9001
const { createServer } = require("node:http");
const { createHmac, timingSafeEqual } = require("node:crypto");
const secret = Buffer.from(process.env.SECRET.replace("whsec_", ""), "base64");

function choose(view) {
  return view.default; // what the platform itself would play: pass, then the legal card with the fewest points
}

function genuine(headers, body) {
  const stamp = headers["webhook-timestamp"] ?? "never";
  const seal = createHmac("sha256", secret).update(`${headers["webhook-id"]}.${stamp}.`).update(body);
  const expected = Buffer.from(`v1,${seal.digest("base64")}`);
  const given = (headers["webhook-signature"] ?? "").split(" ").map((one) => Buffer.from(one));
  const isFresh = Math.abs(Date.now() / 1000 - Number(stamp)) < 300;
  return isFresh && given.some((one) => one.length === expected.length && timingSafeEqual(one, expected));
}

async function play(request, response) {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  const body = Buffer.concat(pieces);
  if (!genuine(request.headers, body)) return response.writeHead(401, { "Content-Length": 0 }).end();
  const message = JSON.parse(body);
  const reply = message.type === "decision" ? { action: choose(message) } : { challenge: message.challenge };
  const text = JSON.stringify(reply); // head and body leave in one piece, and Node has Nagle's algorithm off
  response.writeHead(200, { "Content-Length": Buffer.byteLength(text) }).end(text);
}

const server = createServer((request, response) => play(request, response).catch((cut) => response.destroy(cut)));
server.keepAliveTimeout = 60_000;
server.listen(Number(process.argv[2]), "127.0.0.1");

// A bot that calls the platform, from any laptop behind any router. Run: TOKEN=mnl_… node caller.js https://site
const api = process.argv[2].replace(/\/?$/, "/api/v1");
const headers = { Authorization: `Bearer ${process.env.TOKEN}`, "Content-Type": "application/json" };
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

function choose(view) {
  return view.default; // what the platform itself would play: pass, then the legal card with the fewest points
}

async function answer(decision) {
  const body = JSON.stringify({ action: choose(decision) });
  for (const ms of [0, 100, 500, 1000, 2000]) { // the same answer may be sent as often as it takes
    await pause(ms);
    try {
      const put = { method: "PUT", headers, body, signal: AbortSignal.timeout(15_000) };
      const reply = await fetch(`${api}/decisions/${decision.decision_id}`, put);
      console.log(decision.game, body, reply.status, await reply.text());
      if (reply.status !== 503) return; // 409, 410, 422: decided, too late, or wrong; the next one comes all the same
    } catch (lost) { /* no whole reply came: it is sent again */ }
  }
}

async function listen() {
  const silence = new AbortController(), clock = setTimeout(() => silence.abort(), 15_000); // a line comes every 5 s
  const reply = await fetch(`${api}/bot/stream`, { headers, signal: silence.signal });
  if (!reply.ok) console.log(await reply.clone().text());
  if (reply.status === 401 || reply.status === 403) process.exit(1);
  let rest = "";
  for await (const piece of reply.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop();
    clock.refresh();
    for (const message of lines.map((line) => JSON.parse(line))) if (message.type === "decision") answer(message);
  }
}

const again = () => setTimeout(run, 500); // whatever cuts the stream, the next one begins with all that is open
const run = () => listen().catch((cut) => console.log("Again:", cut.message)).then(again);
run();

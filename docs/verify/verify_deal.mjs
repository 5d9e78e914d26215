// Recomputes the cards of a party from its opened seed. Web Crypto only: runs in a browser and in Node.
//
//     node verify_deal.mjs seed=HEX [entropy=HEX | parts=HEX,HEX] [number=0] [suits=CDHS] [seats=2]
//     node verify_deal.mjs record=FILE
const { subtle } = globalThis.crypto ?? (await import("node:crypto")).webcrypto;
const SUITS = "CDHS", RANKS = "789TJQKA", WORDS = 2 ** 32;
const bytes = (text) => new TextEncoder().encode(text);
const be32 = (number) => new Uint8Array([number >>> 24, number >>> 16, number >>> 8, number]);
const joined = (parts) => Uint8Array.from(parts.flatMap((part) => [...part]));
const sha256 = async (part) => new Uint8Array(await subtle.digest("SHA-256", part));
export const hex = (part) => [...part].map((byte) => byte.toString(16).padStart(2, "0")).join("");
export const unhex = (text) => {
  if (!/^([0-9a-f]{2})*$/i.test(text)) throw new Error(`not hex digits: ${text}`);
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
};

// Published before the first card (R68).
export const commitment = async (seed) => hex(await sha256(joined([bytes("manela/1"), seed])));

// What the players added, in seat order; nothing if nobody sent anything (R68).
export const entropyOf = async (parts) => (parts.some((part) => part.length) ? sha256(joined(parts)) : new Uint8Array());

// Gives fair numbers below a bound, from HMAC-SHA256(seed, prefix and a counter) (R67).
async function drawing(seed, prefix) {
  const key = await subtle.importKey("raw", seed, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  let counter = 0, words = [];
  return async (bound) => {
    for (;;) {
      if (!words.length) {
        const digest = new DataView(await subtle.sign("HMAC", key, joined([prefix, be32(counter++)])));
        words = [0, 4, 8, 12, 16, 20, 24, 28].map((at) => digest.getUint32(at));
      }
      const word = words.shift();
      if (word < WORDS - (WORDS % bound)) return word % bound;
    }
  };
}

// The seat that deals first (R69).
export const lot = async (seed, seats) => (await drawing(seed, bytes("lot")))(seats);

// The 32 cards of a deal, first card on top (R67); place i of C D H S becomes letter i of `suits` (R70).
export async function pack(seed, entropy = new Uint8Array(), number = 0, suits = SUITS) {
  const below = await drawing(seed, joined([entropy, be32(number)]));
  const cards = [...suits].flatMap((suit) => [...RANKS].map((rank) => rank + suit));
  for (let place = 31; place > 0; place--) {
    const other = await below(place + 1);
    [cards[place], cards[other]] = [cards[other], cards[place]];
  }
  return cards;
}

// What a record says that does not follow from its seed; nothing if all of it does.
export async function check(record) {
  const seed = unhex(record.seed), entropy = unhex(record.entropy);
  const wrong = record.commitment === (await commitment(seed)) ? [] : ["commitment"];
  const byLot = record.first_dealer_by === "lot";
  if (byLot && record.first_dealer !== (await lot(seed, record.players))) wrong.push("first_dealer");
  for (const { number, deck } of record.deals)
    if (`${deck}` !== `${await pack(seed, entropy, number, record.suits)}`) wrong.push(`deal ${number}`);
  return wrong;
}

export async function main(args) {
  const given = args.map((text) => [text.split("=", 1)[0], text.slice(text.indexOf("=") + 1)]);
  const asked = { seed: "", entropy: "", number: "0", suits: SUITS, seats: "2", ...Object.fromEntries(given) };
  if (asked.record) return { wrong: await check(JSON.parse((await import("node:fs")).readFileSync(asked.record, "utf8"))) };
  const seed = unhex(asked.seed), number = Number(asked.number), seats = Number(asked.seats);
  const entropy = asked.parts === undefined ? unhex(asked.entropy) : await entropyOf(asked.parts.split(",").map(unhex));
  if (seed.length !== 32 || ![0, 32].includes(entropy.length) || [...asked.suits].sort().join("") !== SUITS)
    throw new Error("a seed is 64 hex digits, entropy is 64 or none, suits are the letters CDHS in some order");
  if (!(Number.isInteger(number) && number >= 0 && number < WORDS && Number.isInteger(seats) && seats > 0))
    throw new Error("number is an integer from 0, seats an integer from 1");
  const cards = await pack(seed, entropy, number, asked.suits), dealer = await lot(seed, seats);
  return { commitment: await commitment(seed), entropy: hex(entropy), first_dealer: dealer, pack: cards };
}

const script = globalThis.process?.argv[1];
if (script && import.meta.url.endsWith("/verify_deal.mjs") && script.endsWith("verify_deal.mjs"))
  main(process.argv.slice(2)).then(
    (found) => console.log(JSON.stringify(found)),
    (error) => { console.error(error.message); process.exitCode = 1; },
  );

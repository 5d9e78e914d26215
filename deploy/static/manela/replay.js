/* Replays a party. The server sends the table after every step (`#states`) and every step in words (the list of
   moves, which stands without a script too); this draws one of them at a time and lets the reader go back and forth. */
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const PLAY_MS = 900;
  const SWIPE_PX = 40;

  const states = JSON.parse(document.getElementById("states").textContent);
  const root = document.getElementById("replay");
  const find = (selector, within = root) => within.querySelector(selector);
  const findAll = (selector, within = root) => [...within.querySelectorAll(selector)];
  const table = find("#table");
  const moves = findAll("[data-step]");
  const box = find("[data-moves]");
  const sheet = find("[data-sheet]");
  const slider = find("[data-slider]");
  const playButton = find('[data-go="play"]');
  const last = states.length - 1;
  let current = 0;
  let timer = null;

  const element = (name, attributes = {}, ...children) => {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };

  const suitSign = (suit, attributes) => element("use", { href: `#suit-${suit}`, ...attributes });

  /* Rank and suit in the corner, which stays free in a hand; the suit large, or the court letter in a frame. */
  const drawCard = (text) => {
    const [rank, suit] = text;
    const shown = rank === "T" ? "10" : rank;
    const svg = element("svg", { viewBox: "0 0 60 84", class: `card card-${suit}`, role: "img", "aria-label": `${shown}${suit}` });
    svg.dataset.card = text;
    svg.append(element("rect", { class: "card-face", x: 0.5, y: 0.5, width: 59, height: 83, rx: 6 }));
    svg.append(element("text", { x: shown === "10" ? 2.5 : 5, y: 21, "font-size": 20, "letter-spacing": shown === "10" ? -2 : 0 }, shown));
    svg.append(suitSign(suit, { x: 4.5, y: 25, width: 14, height: 14 }));
    if ("JQK".includes(rank)) {
      svg.append(element("rect", { class: "card-frame", x: 22, y: 30, width: 32, height: 46, rx: 3 }));
      svg.append(element("text", { x: 38, y: 60, "font-size": 28, "text-anchor": "middle" }, rank));
      svg.append(suitSign(suit, { x: 33, y: 63, width: 10, height: 10 }));
    } else {
      svg.append(suitSign(suit, { x: 21, y: 38, width: 34, height: 34 }));
    }
    return svg;
  };

  const span = (className, ...children) => {
    const made = document.createElement("span");
    if (className) made.className = className;
    made.append(...children);
    return made;
  };

  const noCard = () => span("no-card");
  const places = findAll("[data-place]", table).map((place) => place.dataset.place);

  const drawSeat = (seat, state) => {
    const place = find(`[data-seat="${seat}"]`, table);
    place.classList.toggle("seat-acts", state.seat === seat);
    find("[data-dealer]", place).hidden = state.dealer !== seat;
    find("[data-maker]", place).hidden = state.maker !== seat;
    find("[data-tricks]", place).textContent = state.maker === null ? "" : `✓ ${state.tricks[seat]}`;
    find("[data-tags]", place).replaceChildren(...state.tags[seat].map((words) => span("tag tag-said", words)));
    find("[data-hand]", place).replaceChildren(...sorted(state.hands[seat], state.trump).map((card) => span("", drawCard(card))));
  };

  /* Suits together with trumps first, high cards first, as a player holds them. */
  const RANKS = { plain: "ATKQJ987", trump: "J9ATKQ87" };
  const sorted = (hand, trump) => {
    const suits = [...(trump || ""), ..."SHCD".replace(trump || "", "")];
    const order = (card) => suits.indexOf(card[1]) * 8 + RANKS[card[1] === trump ? "trump" : "plain"].indexOf(card[0]);
    return [...hand].sort((one, other) => order(one) - order(other));
  };

  const drawTrick = (state) => {
    const cards = state.trick.map(([seat, card], index) => {
      const fresh = index === state.trick.length - 1 && state.kind === "action";
      return span(`trick-card trick-${places[seat]}${state.winner === seat ? " trick-won" : ""}${fresh ? " trick-new" : ""}`, drawCard(card));
    });
    find("[data-trick]", table).replaceChildren(...cards);
  };

  const drawPack = (state) => {
    find("[data-upcard]", table).replaceChildren(drawCard(state.upcard));
    find("[data-bottom]", table)?.replaceChildren(state.bottom ? drawCard(state.bottom) : noCard());
    find("[data-stake-box]", table).hidden = !state.stake;
    find("[data-stake]", table).textContent = state.stake;
    const sign = find("[data-trump]", table);
    if (!state.trump) return sign.replaceChildren(noCard());
    const suit = element("svg", { viewBox: "0 0 24 24", role: "img", "aria-label": state.trump }, suitSign(state.trump, {}));
    return sign.replaceChildren(span(`trump-sign card-${state.trump}`, suit));
  };

  /* Until trumps are named the bidding so far lies where the tricks will. */
  const drawBids = (state) => {
    const place = find("[data-felt-bids]", table);
    const bids = find(`[data-bids="${state.deal}"]`);
    const bidding = state.trump === null && state.kind !== "score" && bids !== null;
    place.hidden = !bidding;
    find(".middle", table).classList.toggle("middle-bids", bidding);
    find("[data-trick]", table).hidden = bidding || state.kind === "score";
    if (!bidding) return;
    const copy = bids.cloneNode(true);
    copy.removeAttribute("data-bids");
    for (const bid of findAll("[data-bid]", copy)) {
      if (Number(bid.dataset.bid) > current) bid.replaceChildren();
      bid.removeAttribute("data-bid");
    }
    place.replaceChildren(copy);
  };

  /* At the end of a deal its lines of the sheet lie in the middle. */
  const drawPaper = (state) => {
    const paper = find("[data-felt-paper]", table);
    const lines = find(`[data-sheet-index="${current}"]`, sheet);
    paper.hidden = state.kind !== "score";
    find(".middle", table).classList.toggle("middle-score", state.kind === "score");
    if (paper.hidden) return;
    const copy = find("table", sheet).cloneNode(false);
    const body = lines.cloneNode(true);
    body.removeAttribute("data-sheet-index");
    body.hidden = false;
    copy.removeAttribute("data-test");
    copy.append(find("thead", sheet).cloneNode(true), body);
    paper.replaceChildren(copy);
  };

  const drawScore = (state) => {
    const score = state.kind === "score";
    for (const output of findAll("[data-total]")) output.value = String(state.totals[output.dataset.total]).replace("-", "−");
    for (const points of findAll("[data-points]")) {
      const now = state.points[points.dataset.points];
      points.textContent = state.maker === null || score ? "" : `+${now}`;
    }
    const waiting = find("[data-waiting]");
    waiting.hidden = state.waiting.length === 0;
    waiting.textContent = state.waiting.join("; ");
  };

  /* The sheet grows as the party is played: what is not written yet is not shown. */
  const drawSheet = () => {
    let newest = null;
    for (const deal of findAll("[data-sheet-index]", sheet)) {
      deal.hidden = Number(deal.dataset.sheetIndex) > current;
      deal.classList.remove("sheet-newest");
      if (!deal.hidden) newest = deal;
    }
    find("[data-sheet-end]", sheet).hidden = current !== last;
    if (!newest) return;
    newest.classList.add("sheet-newest");
    sheet.scrollTop = newest.offsetTop + newest.offsetHeight - sheet.clientHeight;
  };

  const say = (move) => {
    find("#said").replaceChildren(...findAll("p", move).map(sentence));
    for (const other of moves) other.removeAttribute("aria-current");
    move.setAttribute("aria-current", "step");
    box.scrollTop = move.offsetTop - box.clientHeight / 2;
  };

  const sentence = (said) => {
    const copy = said.cloneNode(true);
    for (const link of findAll("a", copy)) link.replaceWith(...link.childNodes);
    return copy;
  };

  const markDeal = (state) => {
    for (const link of findAll("[data-deal]")) {
      link.toggleAttribute("aria-current", Number(link.dataset.deal) === state.deal);
    }
  };

  const show = (index) => {
    current = Math.max(0, Math.min(last, index));
    const state = states[current];
    const move = moves[current];
    state.hands.forEach((_, seat) => drawSeat(seat, state));
    drawTrick(state);
    drawPack(state);
    drawBids(state);
    drawPaper(state);
    drawScore(state);
    drawSheet();
    say(move);
    markDeal(state);
    slider.value = current;
    find("[data-position]").value = `${current + 1} / ${states.length}`;
    find("[data-ending]").hidden = current !== last;
    for (const name of ["first", "previous"]) find(`[data-go="${name}"]`).disabled = current === 0;
    for (const name of ["next", "last"]) find(`[data-go="${name}"]`).disabled = current === last;
    history.replaceState(null, "", `#${state.deal}.${state.step}`);
  };

  const stop = () => {
    clearInterval(timer);
    timer = null;
    playButton.setAttribute("aria-pressed", "false");
  };

  const play = () => {
    if (timer) return stop();
    if (current === last) show(0);
    playButton.setAttribute("aria-pressed", "true");
    timer = setInterval(() => (current === last ? stop() : show(current + 1)), PLAY_MS);
    return undefined;
  };

  const go = {
    first: () => show(0),
    previous: () => show(current - 1),
    next: () => show(current + 1),
    last: () => show(last),
    play,
  };
  const step = (name) => {
    if (name !== "play") stop();
    go[name]();
  };

  const fromHash = () => {
    const at = location.hash.slice(1);
    return moves.findIndex((move) => move.dataset.at === at);
  };

  for (const button of findAll("[data-go]")) button.addEventListener("click", () => step(button.dataset.go));
  slider.addEventListener("input", () => {
    stop();
    show(Number(slider.value));
  });
  root.addEventListener("click", (event) => {
    const link = event.target.closest("[data-step] a, [data-deal]");
    if (!link) return;
    event.preventDefault();
    stop();
    const at = link.hash.slice(1);
    show(moves.findIndex((move) => move.dataset.at === at));
  });
  window.addEventListener("hashchange", () => {
    const index = fromHash();
    if (index >= 0 && index !== current) show(index);
  });

  const KEYS = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last", " ": "play" };
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || !KEYS[event.key]) return;
    if (event.target.closest("input, summary, [popover]")) return; // the slider has these keys itself
    if (event.key === " " && event.target.closest("button, a")) return;
    event.preventDefault();
    step(KEYS[event.key]);
  });

  let touchedAt = null;
  let swiped = false;
  table.addEventListener("touchstart", (event) => {
    touchedAt = event.changedTouches[0].clientX;
    swiped = false;
  }, { passive: true });
  table.addEventListener("touchend", (event) => {
    const moved = event.changedTouches[0].clientX - touchedAt;
    if (Math.abs(moved) < SWIPE_PX) return;
    swiped = true; // the click that follows is the same finger
    step(moved < 0 ? "next" : "previous");
  });
  table.addEventListener("click", (event) => {
    if (swiped) {
      swiped = false;
      return;
    }
    const { left, width } = table.getBoundingClientRect();
    step(event.clientX - left < width / 2 ? "previous" : "next");
  });

  find("#player").hidden = false;
  root.classList.add("replay-live");
  show(Math.max(0, fromHash()));
})();

/* The rules form: labels follow the preset, changed options are marked, what a table does not know steps aside.
   Without this script the form works as well: “Show its options” asks the server for the same. */
(() => {
  const begin = () => {
    const presets = document.querySelector("[data-rules-preset]");
    const options = document.querySelector("[data-rules-options]");
    if (!presets || !options) return;

    const form = options.closest("form");
    const { bases, tables, sentences } = JSON.parse(document.getElementById("rules-catalogue").textContent);
    const controls = [...options.querySelectorAll("[data-option]")];
    const groups = [...options.querySelectorAll("[data-rules-group]")];
    const status = options.querySelector("[data-rules-status]");
    const leftOut = options.querySelector("[data-left-out]");
    const find = options.querySelector("[data-find-rule]");

    const chosenPreset = () => presets.querySelector("input:checked");
    const baseNow = () => bases[chosenPreset()?.value];
    const keyOf = (control) => control.querySelector("input[type=radio]:checked")?.value ?? "";
    const isShort = () => {
      const short = controls.find((control) => control.dataset.option === "short");
      const key = short && !short.disabled ? keyOf(short) : "";
      return key ? key !== "off" : Boolean(baseNow()?.short);
    };

    const follow = (control, base) => {
      const { option } = control.dataset;
      const known = tables[base.table][option];
      const [there, says] = base.options[option];
      control.disabled = !known;
      control.querySelector("[data-preset-says]").textContent = sentences[says];
      for (const line of control.querySelectorAll("[data-key]")) {
        const { key } = line.dataset;
        const place = known?.[key];
        if (place !== undefined) line.querySelector("[data-sentence]").textContent = sentences[place];
        line.hidden = !line.querySelector("input").checked && (place === undefined || key === there);
      }
    };

    const tellPreset = () => {
      const { title, line } = chosenPreset().dataset;
      presets.querySelector("[data-preset-title]").textContent = title;
      presets.querySelector("[data-preset-line]").textContent = line;
    };

    const mark = () => {
      const changed = controls.filter((control) => !control.disabled && keyOf(control));
      for (const control of controls) control.classList.toggle("is-changed", changed.includes(control));
      const { none, one, many } = status.dataset;
      status.textContent = changed.length > 1 ? many.replace("#", changed.length) : changed.length ? one : none;
      const out = controls.filter((control) => control.disabled && keyOf(control));
      leftOut.hidden = out.length === 0;
      leftOut.textContent = `${leftOut.dataset.leftOut} ${out.map((control) => control.dataset.title).join(", ")}.`;
    };

    const show = () => {
      const wanted = find.value.trim().toLocaleLowerCase();
      for (const control of controls) {
        control.hidden = control.disabled || !control.textContent.toLocaleLowerCase().includes(wanted);
      }
      for (const group of groups) {
        const shown = [...group.querySelectorAll("[data-option]")].filter((control) => !control.hidden);
        group.hidden = shown.length === 0;
        group.querySelector(".rules-topics").replaceChildren(
          ...shown.map((control) => {
            const topic = document.createElement("span");
            topic.textContent = control.dataset.title;
            topic.classList.toggle("is-changed", control.classList.contains("is-changed"));
            return topic;
          }),
        );
        if (wanted) group.open = shown.length > 0;
      }
    };

    const plan = () => {
      const short = isShort();
      for (const part of form.querySelectorAll("[data-plan-deals]")) part.classList.toggle("is-aside", short);
      const players = { pairs: 4 }[baseNow()?.table] ?? Number(baseNow()?.table);
      for (const seat of form.querySelectorAll("[data-seat]")) {
        seat.disabled = Number(seat.dataset.seat) > players;
        seat.closest(".form-row, .field").hidden = seat.disabled;
      }
      for (const note of form.querySelectorAll("[data-of-pairs]")) note.hidden = baseNow()?.table !== "pairs";
    };

    const all = () => {
      const base = baseNow();
      if (!base) return;
      for (const control of controls) follow(control, base);
      options.querySelector("[data-shown-for]").value = chosenPreset().value;
      tellPreset();
      mark();
      show();
      plan();
    };

    const chooseBeside = (part) => {
      const line = part.closest(".rule-line");
      const isEmpty = part.type === "number" && !part.value;
      if (!isEmpty) line.querySelector("input[type=radio]").checked = true;
    };

    presets.querySelector("[data-show-options]").remove();
    find.closest("[hidden]").hidden = false;
    find.addEventListener("input", show);
    find.addEventListener("keydown", (event) => {
      if (event.key === "Enter") event.preventDefault(); // looking for a rule sends nothing
    });
    presets.addEventListener("change", all);
    // A number beside a line that is not chosen would say two things.
    const emptyBeside = (radio) => {
      const number = radio.closest("[data-option]")?.querySelector("input[type=number]");
      if (number && radio.value !== "number") number.value = "";
    };

    const changed = (event) => {
      if (event.target.matches("[data-chooses]")) chooseBeside(event.target);
      if (event.target.type === "radio") emptyBeside(event.target);
      if (!options.contains(event.target) || event.target === find) return;
      mark();
      show();
      plan();
    };
    form.addEventListener("input", changed);
    form.addEventListener("change", changed);
    all();
  };

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
})();

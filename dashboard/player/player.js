// Steps through one viewpoint of a replay without asking the server. Called again on every rerun:
// what must outlive a rerun is kept on the root element, and a cleanup is returned.

const SPEEDS = [0.5, 1, 2, 4, 8];

export default function (component) {
  const { parentElement, data } = component;
  const root = parentElement.querySelector(".player");
  const known = root.__state;
  const same = known && known.replay === data.replay;
  const last = data.frames.length - 1;
  const state = {
    replay: data.replay,
    frame: clamp(same ? known.frame : data.ply, last),
    speed: same ? known.speed : 1,
    playing: same ? known.playing : false,
    timer: null,
    address: null,
  };
  root.__state = state;
  const part = (selector) => root.querySelector(selector);
  const off = new AbortController();
  const on = (target, event, run) => target.addEventListener(event, run, { signal: off.signal });

  function show(frame) {
    state.frame = clamp(frame, last);
    const over = Boolean(data.ending) && state.frame === last;
    root.classList.toggle("over", over);
    part(".verdict").textContent = over ? data.ending : "";
    part(".picture").innerHTML = data.frames[state.frame];
    fitPicture(part(".picture"));
    part(".slider").value = String(state.frame);
    part(".where").textContent = fill(data.words.ply, { ply: state.frame, last });
    for (const row of root.querySelectorAll(".moves button")) {
      const current = Number(row.dataset.frame) === state.frame;
      row.setAttribute("aria-current", String(current));
      if (current) keepInSight(part(".moves"), row);
    }
    if (over) keepInSight(part(".moves"), part(".event"));
    // Browsers refuse hundreds of address changes in a few seconds: note where the reader rests.
    window.clearTimeout(state.address);
    state.address = window.setTimeout(noteAddress, 120);
  }

  function noteAddress() {
    window.clearTimeout(state.address);
    const url = new URL(window.location.href);
    url.searchParams.set("replay", data.replay);
    url.searchParams.set("ply", String(state.frame));
    url.searchParams.set("view", part(".view").value || data.view);
    window.history.replaceState(window.history.state, "", url);
    pointHere(url);
  }

  function play(wanted) {
    window.clearInterval(state.timer);
    state.playing = wanted && last > 0;
    root.classList.toggle("playing", state.playing);
    const label = state.playing ? data.words.pause : data.words.play;
    part('[data-do="play"]').title = label;
    part('[data-do="play"]').setAttribute("aria-label", label);
    if (!state.playing) return;
    if (state.frame === last) show(0);
    state.timer = window.setInterval(() => {
      if (state.frame >= last) return play(false);
      show(state.frame + 1);
      if (state.frame === last) play(false);
    }, 1000 / state.speed);
  }

  const step = (frame) => { play(false); show(frame); };
  const actions = {
    first: () => step(0),
    back: () => step(state.frame - 1),
    forward: () => step(state.frame + 1),
    last: () => step(last),
    play: () => play(!state.playing),
    copy: () => noteAddress() ?? copyLink(part('[data-do="copy"]'), data.words),
  };
  const keys = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", " ": "play" };

  function pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys)) return;
    const target = event.composedPath()[0];
    if (typesText(target) || (event.key === " " && isButton(target))) return;
    event.preventDefault();
    actions[keys[event.key]]();
  }

  furnish(root, data, last);
  root.dataset.theme = theme(root);
  for (const button of root.querySelectorAll(".bar [data-do]")) {
    on(button, "click", () => actions[button.dataset.do]());
  }
  on(document, "keydown", pressed);
  on(part(".slider"), "input", (event) => step(Number(event.target.value)));
  on(part(".moves"), "click", (event) => {
    const row = event.target.closest("button");
    if (row) step(Number(row.dataset.frame));
  });
  on(part(".speed"), "change", (event) => {
    event.target.blur();
    state.speed = Number(event.target.value);
    play(state.playing);
  });
  on(part(".view"), "change", (event) => {
    event.target.blur();
    noteAddress();
    component.setTriggerValue("view", event.target.value);
  });
  part(".speed").value = String(state.speed);
  show(state.frame);
  play(state.playing);
  return () => {
    off.abort();
    window.clearInterval(state.timer);
    window.clearTimeout(state.address);
  };
}

const clamp = (frame, last) => Math.max(0, Math.min(last, Number.isFinite(frame) ? frame : 0));
const typesText = (target) =>
  Boolean(target.closest?.("textarea, select, [contenteditable], [role=radiogroup], [role=slider], input:not([type=range])"));
const isButton = (target) => Boolean(target.closest?.("button, a, summary"));

// A text from the server, with its {placeholders} filled in.
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);

function furnish(root, data, last) {
  const part = (selector) => root.querySelector(selector);
  const words = data.words;
  for (const name of ["first", "back", "forward", "last"]) {
    part(`[data-do="${name}"]`).title = words[name];
    part(`[data-do="${name}"]`).setAttribute("aria-label", words[name]);
  }
  part('[data-do="copy"]').textContent = words.copy;
  for (const name of ["speed", "view"]) {
    part(`.${name}-title`).textContent = words[name];
    part(`.${name}`).setAttribute("aria-label", words[name]);
  }
  part(".moves-title").textContent = words.moves;
  part(".slider").max = String(last);
  part(".slider").setAttribute("aria-label", words.slider);
  part(".speed").replaceChildren(...SPEEDS.map((speed) => option(String(speed), `${speed}×`)));
  part(".view").replaceChildren(...data.views.map(([value, label]) => option(value, label)));
  part(".view").value = data.view;
  part(".moves").replaceChildren(...moveRows(data));
  part(".marks").replaceChildren(...data.marks.map((mark) => markLabel(mark, last)));
}

function option(value, label) {
  const element = document.createElement("option");
  element.value = value;
  element.textContent = label;
  return element;
}

function span(css, text) {
  const element = document.createElement("span");
  element.className = css;
  element.textContent = text;
  return element;
}

function moveRows(data) {
  const rows = [row(0, span("n", "0"), span("wide-text", data.words.deal))];
  data.moves.forEach((move, index) => {
    const more = [move.outcome, move.forced ? data.words.forced : ""].filter(Boolean).join(" · ");
    const notes = data.notes
      .filter(([seat, ply]) => seat === move.seat && ply === index)
      .map(([, , text]) => span("note", text));
    const said = span("said", "");
    said.append(span("text", move.text), " ", span("more", more));
    rows.push(row(index + 1, span("n", String(index + 1)), seatOf(move, data), said, ...notes));
  });
  if (data.ending) {
    const event = document.createElement("li");
    event.className = "event";
    event.textContent = data.ending;
    rows.push(event);
  }
  return rows;
}

function seatOf(move, data) {
  const element = span("seat", fill(data.words.seat, { seat: move.seat }));
  element.title = data.names[move.seat] ?? "";
  return element;
}

function row(frame, ...cells) {
  const item = document.createElement("li");
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.frame = String(frame);
  button.append(...cells);
  item.append(button);
  return item;
}

function markLabel(mark, last) {
  const share = last ? mark.frame / last : 0;
  const label = span(mark.kind, mark.label);
  label.style.left = `calc(${share * 100}% + ${8 - 16 * share}px)`;
  if (share > 0.85) label.classList.add("end");
  if (share < 0.15) label.classList.add("start");
  return label;
}

// The other languages and signing in lead back to the very position that is shown.
function pointHere(url) {
  const page = url.pathname.split("/").at(-1);
  for (const link of document.querySelectorAll(".ix-account a")) {
    const target = new URL(link.href);
    if (link.classList.contains("ix-language")) {
      const language = target.searchParams.get("lang");
      target.search = url.search;
      target.searchParams.set("lang", language);
    } else {
      target.searchParams.set("next", page + url.search);
    }
    link.href = target.href;
  }
}

function keepInSight(list, row) {
  const above = row.offsetTop - list.offsetTop;
  if (above < list.scrollTop) list.scrollTop = above - 8;
  const below = above + row.offsetHeight - list.clientHeight;
  if (below > list.scrollTop) list.scrollTop = below + 8;
}

function fitPicture(picture) {
  const drawn = picture.querySelector("svg");
  const box = drawn?.viewBox.baseVal;
  if (box?.height) picture.style.setProperty("--ratio", `${box.width} / ${box.height}`);
  for (const place of ["--verdict-x", "--verdict-y"]) {
    picture.parentElement.style.setProperty(place, drawn?.style.getPropertyValue(place) ?? "");
  }
}

function theme(root) {
  const ground = getComputedStyle(root).getPropertyValue("--st-background-color").trim();
  const probe = document.createElement("canvas").getContext("2d");
  if (!ground || !probe) return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  probe.fillStyle = ground;
  probe.fillRect(0, 0, 1, 1);
  const [red, green, blue] = probe.getImageData(0, 0, 1, 1).data;
  return red * 0.3 + green * 0.59 + blue * 0.11 < 128 ? "dark" : "light";
}

async function copyLink(button, words) {
  try {
    await navigator.clipboard.writeText(window.location.href);
    button.textContent = words.copied;
  } catch {
    window.prompt(words.copy, window.location.href);
  }
  window.setTimeout(() => { button.textContent = words.copy; }, 1500);
}

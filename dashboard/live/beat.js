// Asks for fresh numbers while somebody looks: a hidden tab costs the server nothing. What is drawn
// anew stays scrolled sideways where the reader left it.

const SCROLLED = ".ix-wrap, div:has(> .ix-curves), div:has(> .ix-effort)";
const known = new WeakSet();
const places = new Map(); // of each scrolled part, by its number on the page: how far, in px

export default function (component) {
  const ask = () => {
    if (document.visibilityState === "visible") component.setTriggerValue("beat", Date.now());
  };
  const timer = window.setInterval(ask, component.data.seconds * 1000);
  const drawn = new MutationObserver(putBack);
  putBack();
  drawn.observe(document.body, { childList: true, subtree: true });
  document.addEventListener("visibilitychange", ask);
  document.addEventListener("scroll", keep, true);
  return () => {
    window.clearInterval(timer);
    drawn.disconnect();
    document.removeEventListener("visibilitychange", ask);
    document.removeEventListener("scroll", keep, true);
  };
}

function keep(event) {
  const part = event.target;
  if (!known.has(part)) return;
  places.set([...document.querySelectorAll(SCROLLED)].indexOf(part), part.scrollLeft);
}

function putBack() {
  document.querySelectorAll(SCROLLED).forEach((part, number) => {
    if (known.has(part)) return;
    known.add(part);
    if (places.has(number)) part.scrollLeft = places.get(number);
    else if (part.scrollLeft > 0) places.set(number, part.scrollLeft); // before this script came
  });
}

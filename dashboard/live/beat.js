// Asks for fresh numbers while somebody looks: a hidden tab costs the server nothing.

export default function (component) {
  const ask = () => {
    if (document.visibilityState === "visible") component.setTriggerValue("beat", Date.now());
  };
  const timer = window.setInterval(ask, component.data.seconds * 1000);
  document.addEventListener("visibilitychange", ask);
  return () => {
    window.clearInterval(timer);
    document.removeEventListener("visibilitychange", ask);
  };
}

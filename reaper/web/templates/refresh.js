const every = Number(document.body.dataset.refresh) * 1000;
const lost = document.getElementById("lost");

function reading() {
  const active = document.activeElement;
  const writing = ["INPUT", "SELECT", "TEXTAREA"].includes(active?.tagName);
  const begun =
    [...document.querySelectorAll("main input[name=reason]")].some((field) => field.value) ||
    [...document.querySelectorAll("main option")].some((one) => one.selected && !one.defaultSelected);
  return document.hidden || writing || begun || !getSelection().isCollapsed;
}

async function refresh() {
  if (reading()) return;
  try {
    const answer = await fetch(location.href, { cache: "no-store", redirect: "manual" });
    if (answer.type === "opaqueredirect") return location.reload();
    const text = (await answer.text()).replace(/<style[^]*?<\/style>/, "");
    const page = new DOMParser().parseFromString(text, "text/html");
    const fresh = page.getElementById("page");
    if (!fresh) throw new Error("no page");
    const focused = document.activeElement?.id;
    document.getElementById("page").replaceWith(fresh);
    document.title = page.title;
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
    lost.hidden = true;
  } catch {
    lost.hidden = false;
  }
}

if (every) setInterval(refresh, every);

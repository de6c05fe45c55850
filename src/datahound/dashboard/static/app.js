"use strict";

// The page of a running crawl is fetched again, and its parts replace the old ones.
// The server writes all of it as text; nothing here makes markup.
const live = {
  timer: 0,

  start() {
    const main = document.getElementById("main");
    if (main.dataset.live) this.timer = setTimeout(() => this.refresh(main), Number(main.dataset.live));
  },

  async refresh(main) {
    if (!document.hidden) {
      try {
        const answer = await fetch(location.href, { cache: "no-store" });
        if (answer.ok) this.replace(main, await answer.text());
      } catch {
        // The server does not answer: try again after the next interval.
      }
    }
    this.start();
  },

  replace(main, text) {
    const fresh = new DOMParser().parseFromString(text, "text/html");
    for (const part of document.querySelectorAll("[data-part]")) {
      const other = fresh.querySelector(`[data-part="${part.dataset.part}"]`);
      if (!other || part.isEqualNode(other) || part.contains(document.activeElement)) continue;
      if (part.matches(":hover") && part.dataset.part === "curve") continue;
      const scrolled = part.scrollLeft;
      const now = document.adoptNode(other);
      part.replaceWith(now);
      now.scrollLeft = scrolled;
    }
    document.title = fresh.title;
    const rhythm = fresh.getElementById("main").dataset.live;
    if (rhythm) main.dataset.live = rhythm;
    else delete main.dataset.live;
    curves.watch();
  },
};

// A curve shows its figures at the pointer.
const curves = {
  watch() {
    for (const figure of document.querySelectorAll(".curve:not([data-watched])")) {
      figure.dataset.watched = "";
      const points = JSON.parse(figure.dataset.points);
      const svg = figure.querySelector("svg");
      svg.addEventListener("pointermove", (event) => {
        const box = svg.getBoundingClientRect();
        const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
        this.show(figure, svg, points, Math.round(share * (points.length - 1)));
      });
      svg.addEventListener("pointerleave", () => this.hide(figure));
    }
  },

  show(figure, svg, points, at) {
    const [requests, files] = points[at];
    const x = `${(100 * requests) / Math.max(1, Number(figure.dataset.requests))}%`;
    let cross = svg.querySelector(".cross");
    if (!cross) {
      cross = document.createElementNS("http://www.w3.org/2000/svg", "line");
      cross.setAttribute("class", "cross");
      cross.setAttribute("y1", "16");
      cross.setAttribute("y2", "216");
      svg.append(cross);
    }
    cross.setAttribute("x1", x);
    cross.setAttribute("x2", x);
    figure.querySelector(".reading").textContent =
      `${files.toLocaleString("en")} data files after ${requests.toLocaleString("en")} requests`;
  },

  hide(figure) {
    figure.querySelector(".cross")?.remove();
    figure.querySelector(".reading").textContent = "";
  },
};

// One box ticks all others on the page.
function tickAll() {
  const label = document.querySelector("[data-all]");
  if (!label) return;
  label.hidden = false;
  const all = label.querySelector("input");
  const boxes = [...document.querySelectorAll('.entries input[name="id"]')];
  all.addEventListener("change", () => boxes.forEach((box) => (box.checked = all.checked)));
}

live.start();
curves.watch();
tickAll();

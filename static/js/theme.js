(() => {
  const root = document.documentElement;
  let theme;
  // Storage can be denied by the visitor's settings: the choice then lasts as long as the page.
  try {
    theme = localStorage.theme;
  } catch {}
  root.dataset.theme = theme === "light" || theme === "dark" ? theme : "auto";

  addEventListener("change", ({ target }) => {
    if (!target.matches("[data-theme-switch]")) return;
    root.dataset.theme = target.value;
    try {
      localStorage.theme = target.value;
    } catch {}
  });

  addEventListener("DOMContentLoaded", () => {
    const all = (selector) => document.querySelectorAll(selector);
    for (const control of all("[data-theme-switch]")) control.value = root.dataset.theme;

    const playhead = new IntersectionObserver(
      (entries) => {
        const seen = entries.find((entry) => entry.isIntersecting);
        if (!seen) return;
        for (const link of all(".rail a")) {
          link.removeAttribute("aria-current");
          if (link.hash !== `#${seen.target.id}`) continue;
          link.setAttribute("aria-current", "true");
          for (const here of all("[data-here]")) here.textContent = link.textContent.replace(" ", " / ");
        }
      },
      { rootMargin: "-30% 0px -70%" },
    );
    for (const section of all("main > section")) playhead.observe(section);

    for (const link of all(".rail__menu a")) {
      link.addEventListener("click", () => {
        link.closest("details").open = false;
      });
    }
  });
})();

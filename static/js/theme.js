(() => {
  const root = document.documentElement;
  const all = (selector) => [...document.querySelectorAll(selector)];
  let theme;
  // Storage can be denied by the visitor's settings: the choice then lasts for this page.
  try {
    theme = localStorage.theme;
  } catch {}
  // In the script, because validators do not know the rule yet.
  document.styleSheets[0].insertRule(
    "@media (prefers-reduced-motion:no-preference){@view-transition{navigation:auto}}",
  );
  root.dataset.theme = theme === "light" || theme === "dark" ? theme : "auto";

  addEventListener("DOMContentLoaded", () => {
    for (const control of all("[data-theme-switch]")) {
      control.value = root.dataset.theme;
      control.onchange = () => {
        root.dataset.theme = control.value;
        try {
          localStorage.theme = control.value;
        } catch {}
      };
    }

    // The index lists them in this order.
    const sections = all("main > section");
    const playhead = new IntersectionObserver(
      (entries) => {
        const entry = entries.find((entry) => entry.isIntersecting);
        if (!entry) return;
        for (const link of all(".rail [aria-current]")) link.removeAttribute("aria-current");
        for (const list of all(".rail ol")) {
          const link = list.children[sections.indexOf(entry.target)].firstElementChild;
          link.setAttribute("aria-current", "true");
          for (const here of all("[data-here]")) here.textContent = link.textContent.replace(" ", " / ");
        }
      },
      { rootMargin: "-30% 0px -70%" },
    );
    for (const section of sections) playhead.observe(section);

    for (const link of all(".rail details a")) {
      link.onclick = () => {
        link.closest("details").open = false;
      };
    }
  });
})();

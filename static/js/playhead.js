// The marker of the index follows the section in view. For the home page, deferred.
(() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const sections = all("main > section");
  const lists = all(".rail ol");

  const mark = (section) => {
    for (const link of all(".rail [aria-current]")) link.removeAttribute("aria-current");
    for (const list of lists) {
      // The index lists the sections in the order of the page.
      const link = list.children[sections.indexOf(section)].firstElementChild;
      link.setAttribute("aria-current", "true");
      for (const here of all("[data-here]")) here.textContent = link.textContent.replace(" ", " / ");
    }
  };

  const playhead = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) mark(target);
    },
    { rootMargin: "-30% 0px -70%" },
  );
  for (const section of sections) playhead.observe(section);

  const menu = document.querySelector(".rail details");
  menu.addEventListener("click", ({ target }) => {
    if (target.closest("a")) menu.open = false;
  });
})();

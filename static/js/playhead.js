// The index marks the section in view.
{
  const all = (selector) => document.querySelectorAll(selector);
  const mark = ({ target, isIntersecting }) => {
    if (!isIntersecting) return;
    for (const link of all(".rail ol a")) {
      const isHere = link.hash.slice(1) === target.id;
      link.ariaCurrent = isHere || null;
      if (!isHere) continue;
      for (const here of all("[data-here]")) here.textContent = link.textContent.replace(" ", " / ");
    }
  };
  const playhead = new IntersectionObserver((entries) => entries.forEach(mark), {
    rootMargin: "-30% 0px -70%",
  });
  for (const section of all("main > section")) playhead.observe(section);

  const menu = document.querySelector(".rail details");
  menu.addEventListener("click", ({ target }) => {
    if (target.closest("a")) menu.open = false;
  });
}

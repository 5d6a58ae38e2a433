// The list of contents marks the heading that was read last.
{
  const links = [...document.querySelectorAll(".contents a")];
  const passed = new Set();
  const reading = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) passed[isIntersecting ? "add" : "delete"](target.id);
    const current = links.findLast((link) => passed.has(decodeURIComponent(link.hash.slice(1))));
    for (const link of links) link.ariaCurrent = link === current || null;
  }, { rootMargin: "99999px 0px -70%" });
  for (const link of links) reading.observe(document.getElementById(decodeURIComponent(link.hash.slice(1))));
}

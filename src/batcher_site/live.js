// Keeps a page of the development server up to date. It is never published.
{
  const { dataset } = document.currentScript;
  let known = Number(dataset.version);
  const host = document.createElement("div");
  const root = host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    :host { position: fixed; inset: auto 0 0; z-index: 99; font: 14px/1.5 ui-monospace, monospace; }
    a { color: inherit; }
    .note { float: inline-end; margin: 8px; padding: 4px 10px; background: #10192b; color: #fbf9f4; }
    .faults { max-block-size: 60vh; overflow: auto; padding: 16px 24px; background: #10192b; color: #fbf9f4;
      border-block-start: 4px solid #ff9b5e; }
    h2 { margin: 0 0 8px; font-size: 16px; }
    p, pre { margin: 4px 0; white-space: pre-wrap; }
    mark { background: #ff9b5e; color: #10192b; }
  `);
  root.adoptedStyleSheets = [sheet];

  const element = (name, className, ...children) => {
    const made = document.createElement(name);
    made.className = className;
    made.append(...children);
    return made;
  };

  const note = () => {
    const parts = [];
    if ("draft" in dataset) parts.push("draft · ");
    if (dataset.source) {
      const link = element("a", "", dataset.source);
      // A path of Windows begins with a letter.
      link.href = `vscode://file${encodeURI(dataset.file.replace(/^(?!\/)/, "/"))}`;
      parts.push(link);
    }
    return parts.length > 0 ? [element("p", "note", ...parts)] : [];
  };

  const excerpt = ({ excerpt: lines, line }) => element("pre", "", ...lines.map(([number, text]) => {
    const shown = `${String(number).padStart(5)}  ${text}\n`;
    return number === line ? element("mark", "", shown) : shown;
  }));

  const draw = (faults, lost = "") => {
    const told = faults.map((fault) => element("section", "",
      element("p", "", fault.place ? `${fault.place}: ${fault.message}` : fault.message),
      ...(fault.excerpt.length > 0 ? [excerpt(fault)] : []),
      ...(fault.hint ? [element("p", "", `hint: ${fault.hint}`)] : [])));
    const box = element("div", "faults", element("h2", "", "empty" in dataset ? "The site has faults" : "The last good page is below"), ...told);
    box.setAttribute("role", "alert");
    root.replaceChildren(...(lost ? [element("p", "note", lost)] : note()), ...(told.length > 0 ? [box] : []));
  };

  const restyle = async () => {
    const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
    const style = new CSSStyleSheet();
    style.replaceSync(page.querySelector("head style").textContent);
    document.querySelector("head style").sheet.disabled = true;
    document.adoptedStyleSheets = [style];
  };

  const isLoaded = (address) =>
    performance.getEntriesByType("resource").some(({ name }) => new URL(name).pathname === address);

  const apply = async ({ version, all, changed, restyled, faults }) => {
    known = version;
    draw(faults);
    const here = location.pathname.replace(/index\.html$/, "");
    const begins = "empty" in dataset && faults.length === 0;
    if (all || begins || changed.includes(here) || changed.some(isLoaded)) location.reload();
    else if (restyled.includes(here)) await restyle();
  };

  const seen = () => new Promise((resolve) => {
    if (!document.hidden) resolve();
    else document.addEventListener("visibilitychange", resolve, { once: true });
  });

  const listen = async () => {
    for (;;) {
      // A browser keeps few connections to a host: a tab that nobody sees takes none.
      await seen();
      try {
        const answer = await fetch(`${dataset.state}?version=${known}`);
        if (!answer.ok) throw new Error(answer.statusText);
        await apply(await answer.json());
      } catch {
        draw([], "the server has stopped");
        // Whatever answers next may be another one, or have built without us: it tells all.
        known = 0;
        await new Promise((resolve) => {
          setTimeout(resolve, 1000);
        });
      }
    }
  };

  document.documentElement.append(host);
  draw([]);
  listen();
}

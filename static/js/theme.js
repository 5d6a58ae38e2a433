(() => {
  const root = document.documentElement;
  let theme;
  // The visitor may deny storage.
  try {
    theme = localStorage.theme;
  } catch {}
  root.dataset.theme = /^(light|dark)$/.test(theme) ? theme : "auto";
  // Validators do not know the rule yet.
  document.styleSheets[0].insertRule(
    "@media (prefers-reduced-motion:no-preference){@view-transition{navigation:auto}}",
  );
  addEventListener("DOMContentLoaded", () => {
    const control = document.querySelector("[data-theme-switch]");
    control.value = root.dataset.theme;
    control.onchange = () => {
      root.dataset.theme = control.value;
      try {
        localStorage.theme = control.value;
      } catch {}
    };
  });
})();

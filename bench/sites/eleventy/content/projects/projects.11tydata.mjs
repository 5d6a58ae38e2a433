export default {
  layout: "text.njk",
  permalink: ({ page }) => `/projects/${page.fileSlug}/`,
};

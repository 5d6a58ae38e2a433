// The settings of the comparison's site: a page for each text, one list of all, feed and map.
import syntaxHighlight from "@11ty/eleventy-plugin-syntaxhighlight";

export default function (config) {
  config.addPlugin(syntaxHighlight);
  config.addCollection("texts", (api) =>
    api.getFilteredByGlob("content/projects/*.md").sort((a, b) => b.date - a.date));
  config.addFilter("day", (date) => date.toISOString().slice(0, 10));
  return {
    dir: { input: "content", includes: "../includes", output: "public" },
    markdownTemplateEngine: false,
  };
}

// What a visitor may want to take along has a button that copies it.
for (const source of document.querySelectorAll(".contact a,.prose pre")) {
  const button = document.createElement("button");
  const what = source.href ? "the address" : "the code";
  // The style sheet shows the word: a page has the same text with and without scripts.
  const say = (word) => {
    button.dataset.word = word;
    button.ariaLabel = `${word} ${what}`;
  };
  say("Copy");
  button.className = "copy";
  button.onclick = async () => {
    const taken = source.cloneNode(true);
    for (const mark of taken.querySelectorAll(".linenos,.gp")) mark.remove();
    try {
      await navigator.clipboard.writeText(taken.textContent);
      say("Copied");
    } catch {
      // Not allowed here: what is selected can be copied by hand.
      getSelection().selectAllChildren(source);
      say("Selected");
    }
    setTimeout(say, 2000, "Copy");
  };
  source.after(button);
}

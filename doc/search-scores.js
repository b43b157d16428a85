// SPDX-License-Identifier: GPL-2.0-only
// What comes first in a search: a page whose title or headings have the words, and pages of data and the notebook last.
var Scorer = {
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: {0: 15, 1: 5, 2: -5},
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
  score: ([name, , , , score]) => {
    const isData = /^(claims|attributes|columns|notebook\/.*)$/.test(name);
    const index = Search._index;
    const page = index.docnames.indexOf(name);
    const stemmer = new Stemmer();
    const words = splitQuery(Scorer.query().toLowerCase()).map(word => stemmer.stemWord(word));
    const headings = Object.entries(index.alltitles).filter(([, places]) => places.some(([file]) => file === page));
    const found = (text, word) => splitQuery(text.toLowerCase()).some(part => stemmer.stemWord(part) === word);
    const points = words.map(word =>
      found(index.titles[page], word) || name.includes(word) ? 20 : headings.some(([text]) => found(text, word)) ? 8 : 0);
    return (isData ? 0 : 100) + Math.min(score, 40) + points.reduce((sum, part) => sum + part, 0);
  },
  query: () => new URLSearchParams(window.location.search).get("q") || "",
};

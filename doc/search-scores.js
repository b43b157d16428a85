// SPDX-License-Identifier: GPL-2.0-only
// The order of what a search finds: a page whose title, index entries or headings have the words comes first; pages of data and
// the notebook come last, unless the words are a whole heading of theirs.
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
    const {docnames, titles, alltitles, indexentries} = Search._index;
    const page = docnames.indexOf(name);
    const stemmer = new Stemmer();
    const split = text => splitQuery(text.toLowerCase()).map(word => stemmer.stemWord(word));
    const ofPage = entries =>
      Object.entries(entries).filter(([, places]) => places.some(([file]) => file === page)).flatMap(([text]) => split(text));
    const places = [[20, split(`${titles[page]} ${name}`)], [12, ofPage(indexentries)], [8, ofPage(alltitles)]];
    const query = split(new URLSearchParams(window.location.search).get("q") || "");
    const points = query.map(word => (places.find(([, words]) => words.includes(word)) || [0])[0]);
    return (isData && score < 100 ? 0 : 100) + Math.min(score, 40) + points.reduce((sum, part) => sum + part, 0);
  },
};

// SPDX-License-Identifier: GPL-2.0-only
// In place of Debian's furo.js, a module that browsers load neither without "type=module" nor from a file.
"use strict";

const MODES = ["auto", "light", "dark"];

const setTheme = mode => {
  document.body.dataset.theme = mode;
  localStorage.setItem("theme", mode);
};

document.documentElement.classList.remove("no-js");
window.addEventListener("DOMContentLoaded", () => {
  for (const button of document.getElementsByClassName("theme-toggle"))
    button.addEventListener("click", () =>
      setTheme(MODES[(MODES.indexOf(document.body.dataset.theme) + 1) % MODES.length]));
});

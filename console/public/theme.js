// Loaded before anything is painted, so that a dark page never flashes white.
// A file of its own, because the console's Content-Security-Policy allows no inline script.
(function () {
  var choice = null;
  try {
    choice = localStorage.getItem('tollgate-theme');
  } catch {
    // Storage may be blocked: the system's theme is used.
  }
  var isDark =
    choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
})();

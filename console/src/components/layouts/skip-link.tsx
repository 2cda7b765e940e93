/** The first stop of the Tab key: jumps over the rail. */
export function SkipLink() {
  return (
    <a
      href="#main"
      className="sr-only z-50 rounded-lg border bg-raised px-3 py-2 font-medium shadow-pop focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
    >
      Skip to content
    </a>
  );
}

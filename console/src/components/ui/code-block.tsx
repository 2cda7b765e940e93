const KEYWORD = /\b(export|import|from|const|await|curl|print)\b/;

/** Code that scrolls sideways, by keyboard too, with its words of the language in green. */
export function CodeBlock({ label, code }: { label: string; code: string }) {
  return (
    <section aria-label={label} className="rounded-lg border bg-sunken">
      <pre
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls takes the focus
        tabIndex={0}
        className="overflow-x-auto rounded-lg px-[13px] py-[11px] font-mono text-[12.5px]/[19px]"
      >
        <code>
          {code.split('\n').map((line, index) => (
            <span key={index}>
              {highlight(line)}
              {'\n'}
            </span>
          ))}
        </code>
      </pre>
    </section>
  );
}

/** Colours the words of the language in a line; strings stay as they are. */
function highlight(line: string) {
  return line
    .split(/("[^"]*"|'[^']*')/)
    .flatMap((part, index) => (index % 2 === 1 ? [part] : part.split(KEYWORD)))
    .map((part, index) =>
      KEYWORD.exec(part)?.[0] === part ? (
        <span key={index} className="text-accent">
          {part}
        </span>
      ) : (
        part
      ),
    );
}

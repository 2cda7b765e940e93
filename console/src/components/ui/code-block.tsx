import { CopyButton } from './copy-button.tsx';

const KEYWORD = /\b(export|import|from|const|await|curl|print)\b/;

interface CodeBlockProps {
  label: string;
  code: string;
  onCopied?: (() => void) | undefined;
}

/** Code that scrolls sideways, by keyboard too, with its words of the language in green. */
export function CodeBlock({ label, code, onCopied }: CodeBlockProps) {
  return (
    <section aria-label={label} className="relative rounded-lg border bg-sunken">
      <pre
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls takes the focus
        tabIndex={0}
        className="overflow-x-auto rounded-lg px-[13px] py-[11px] pr-12 font-mono text-[12.5px]/[19px]"
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
      <CopyButton
        text={code}
        label={`Copy ${label}`}
        isIconOnly
        variant="ghost"
        size="icon"
        className="absolute top-1 right-1 bg-sunken"
        {...(onCopied === undefined ? {} : { onCopied })}
      />
    </section>
  );
}

/** Colours the first word of the language in a line; strings stay as they are. */
function highlight(line: string) {
  return line
    .split(/("[^"]*"|'[^']*')/)
    .flatMap((part, index) => (index % 2 === 1 ? [part] : part.split(KEYWORD)))
    .map((part, index) =>
      KEYWORD.test(part) && part.match(KEYWORD)?.[0] === part ? (
        <span key={index} className="text-accent">
          {part}
        </span>
      ) : (
        part
      ),
    );
}

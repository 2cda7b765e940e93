import { memo, type ReactNode } from 'react';
import Markdown, { defaultUrlTransform, type Components, type ExtraProps } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { CodeBlock } from '../../../components/ui/code-block.tsx';
import { CopyButton } from '../../../components/ui/copy-button.tsx';
import { TEXT_LINK } from '../../../components/ui/text-link.ts';
import { cn } from '../../../lib/cn.ts';
import { flattenDeepMarkdown, isCostlyMarkdown } from './markdown-bounds.ts';
import { PlainAnswer } from './plain-answer.tsx';

const PLUGINS = [remarkGfm, flattenDeepMarkdown];
/** Before the language in the class of a code block. */
const LANGUAGE = 'language-';

/**
 * Markdown of a response. The library builds elements, never HTML: HTML in the text is shown as text, and URLs that
 * could run code are removed. Images are links, so that a response cannot report to another server that it was read.
 * Links within the page lead only to the response's footnotes: other fragments are orders to the page.
 */
export const MarkdownText = memo(function MarkdownText({ id, text }: { id: number; text: string }) {
  if (isCostlyMarkdown(text)) return <PlainAnswer text={text} />;
  // Ids of footnotes are unique on the page.
  const prefix = `answer-${id}-`;
  return (
    <div className="grid max-w-[75ch] grid-cols-[minmax(0,1fr)] gap-2.5 break-words">
      <Markdown
        remarkPlugins={PLUGINS}
        remarkRehypeOptions={{ clobberPrefix: prefix }}
        urlTransform={(url) =>
          url.startsWith('#') && !url.startsWith(`#${prefix}`) ? '' : defaultUrlTransform(url)
        }
        components={COMPONENTS}
      >
        {text}
      </Markdown>
    </div>
  );
});

/** All headings have one level: those of a response do not structure the page. */
function heading(size: string) {
  return function Heading({ id, children }: { id?: string | undefined; children?: ReactNode }) {
    return (
      <h3 id={id} className={cn('font-semibold', size)}>
        {children}
      </h3>
    );
  };
}

const COMPONENTS: Components = {
  h1: heading('text-[17px]/6'),
  h2: heading('text-base'),
  h3: heading('text-[15px]'),
  h4: heading('text-sm'),
  h5: heading('text-sm'),
  h6: heading('text-sm'),
  a: ({ href, id, children }) =>
    href === undefined || href === '' ? (
      <span id={id}>{children}</span>
    ) : href.startsWith('#') ? (
      <a href={href} id={id} className={TEXT_LINK}>
        {children}
      </a>
    ) : (
      <a href={href} target="_blank" rel="noopener noreferrer nofollow" className={TEXT_LINK}>
        {children}
      </a>
    ),
  img: ({ src, alt }) => {
    const label = `Image: ${alt === undefined || alt === '' ? 'no description' : alt}`;
    return typeof src === 'string' && src !== '' ? (
      <a href={src} target="_blank" rel="noopener noreferrer nofollow" className={TEXT_LINK}>
        {label}
      </a>
    ) : (
      <span>[{label}]</span>
    );
  },
  ul: ({ className, children }) => (
    <ul className={cn('grid gap-1 pl-5', isTaskList(className) ? 'list-none' : 'list-disc')}>{children}</ul>
  ),
  ol: ({ start, children }) => (
    <ol start={start} className="grid list-decimal gap-1 pl-5">
      {children}
    </ol>
  ),
  // The box of a task: it cannot be changed.
  input: ({ checked }) => <span>{checked === true ? '☑' : '☐'}</span>,
  blockquote: ({ children }) => (
    <blockquote className="grid gap-2 border-l-2 border-line-strong pl-3 text-ink-2">{children}</blockquote>
  ),
  hr: () => <hr className="border-line" />,
  code: ({ children }) => (
    <code className="rounded bg-sunken px-1 py-px font-mono text-[0.9em]">{children}</code>
  ),
  pre: ({ node }) => {
    const code = readCode(node);
    return (
      <div className="relative">
        <CodeBlock label={code.language === '' ? 'Code' : `Code in ${code.language}`} code={code.text} />
        <CopyButton
          text={code.text}
          label="Copy code"
          isIconOnly
          variant="ghost"
          size="icon"
          className="absolute top-1.5 right-1.5"
        />
      </div>
    );
  },
  table: ({ children }) => (
    <section
      aria-label="Table"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls takes the focus
      tabIndex={0}
      className="overflow-x-auto rounded-lg border"
    >
      {/* oxlint-disable-next-line react/forbid-elements -- the rows are written by a model */}
      <table className="w-full text-[13px]">{children}</table>
    </section>
  ),
  th: ({ children, style }) => (
    <th style={style} className="border-b bg-sunken px-3 py-1.5 text-left font-medium">
      {children}
    </th>
  ),
  td: ({ children, style }) => (
    <td style={style} className="border-b px-3 py-1.5 align-top">
      {children}
    </td>
  ),
};

function isTaskList(className: string | undefined): boolean {
  return className?.includes('contains-task-list') ?? false;
}

/** The text and the language of a code block. */
function readCode(node: ExtraProps['node']): { text: string; language: string } {
  const [code] = node?.children ?? [];
  if (code?.type !== 'element') return { text: '', language: '' };
  const text = code.children.map((child) => (child.type === 'text' ? child.value : '')).join('');
  const classes = code.properties['className'];
  const names = Array.isArray(classes) ? classes.filter((name) => typeof name === 'string') : [];
  const named = names.find((name) => name.startsWith(LANGUAGE)) ?? LANGUAGE;
  return { text: text.replace(/\n$/, ''), language: named.slice(LANGUAGE.length) };
}

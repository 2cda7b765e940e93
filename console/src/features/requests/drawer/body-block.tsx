import { KEPT_BODY_BYTES } from '@tollgate/core/requests/kept-bodies';
import { useMemo, useState } from 'react';
import { CopyButton } from '../../../components/ui/copy-button.tsx';
import { Segmented } from '../../../components/ui/segmented.tsx';
import { formatBytes } from '../../../lib/format/bytes.ts';
import type { KeptBodies } from '../../../lib/trpc.ts';
import { indentJson } from './indent-json.ts';
import { Section } from './section.tsx';

type Body = NonNullable<KeptBodies['kept']>['request'];
type Form = 'indented' | 'sent';

const FORMS = [
  { value: 'indented', label: 'Formatted' },
  { value: 'sent', label: 'Raw' },
] as const;

/** One payload, with JSON indented. The copy button copies the raw text. */
export function BodyBlock({ title, body }: { title: string; body: Body }) {
  const indented = useMemo(() => indentJson(body.text), [body.text]);
  const [form, setForm] = useState<Form>('indented');
  const text = form === 'indented' && indented !== null ? indented : body.text;
  return (
    <Section title={title}>
      <div className="mb-2 flex flex-wrap items-center gap-2">
        <span className="min-w-0 flex-1 text-[12.5px] text-ink-3">
          {body.isTruncated
            ? `First ${KEPT_BODY_BYTES / 1024} KiB of ${formatBytes(body.bytes)}. The rest is not stored.`
            : formatBytes(body.bytes)}
        </span>
        {indented !== null && (
          <Segmented<Form> label={`${title} format`} value={form} options={FORMS} onValueChange={setForm} />
        )}
        <CopyButton
          text={body.text}
          label={`Copy ${title.toLowerCase()}`}
          isIconOnly
          size="icon"
          variant="ghost"
        />
      </div>
      {body.text === '' ? (
        <p className="text-[13px] text-ink-3">Empty</p>
      ) : (
        <pre
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls takes the focus
          tabIndex={0}
          className="max-h-[420px] overflow-auto rounded-lg border bg-sunken px-[13px] py-[11px] font-mono text-[12.5px]/[19px] wrap-anywhere whitespace-pre-wrap"
        >
          {text}
        </pre>
      )}
    </Section>
  );
}

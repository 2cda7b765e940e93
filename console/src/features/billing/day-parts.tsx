import { ENTRY_LABELS } from '@tollgate/core/money/entry-labels';
import { Link } from '@tanstack/react-router';
import { Moment } from '../../components/ui/moment.tsx';
import { describeError } from '../../lib/api-error.ts';
import { formatCount, formatPlural } from '../../lib/format/count.ts';
import { paths } from '../../lib/paths.ts';
import type { DayParts } from '../../lib/trpc.ts';
import { DocumentLink } from './document-link.tsx';

type Content =
  | { kind: 'note'; text: string }
  | { kind: 'entry'; entry: DayParts['entries'][number] }
  | { kind: 'key'; key: DayParts['keys'][number] };

/** A line of an open day. */
export type Part = Content & { id: string; changeNanoUsd: string | null };

/** The lines of an open day. @param query undefined: it has not started */
export function listParts(
  day: string,
  query: { data: DayParts | undefined; error: { message: string } | null } | undefined,
): Part[] {
  const note = (text: string, changeNanoUsd: string | null = null): Part => ({
    kind: 'note',
    id: `${day} ${text}`,
    text,
    changeNanoUsd,
  });
  if (query?.data === undefined) return [note(query?.error ? describeError(query.error) : 'Loading…')];
  const { entries, keys, more } = query.data;
  return [
    ...entries.map((entry): Part => ({
      kind: 'entry',
      id: entry.id,
      entry,
      changeNanoUsd: entry.changeNanoUsd,
    })),
    ...keys.map((key): Part => ({
      kind: 'key',
      id: `${day} ${key.keyId}`,
      key,
      changeNanoUsd: key.changeNanoUsd,
    })),
    ...(more.entries + more.keys > 0
      ? [note(`${formatCount(more.entries + more.keys)} more, in the export`, more.changeNanoUsd)]
      : []),
  ];
}

/** What one line of an open day is. */
export function DayPart({ part }: { part: Part }) {
  return <div className="min-w-0 pl-6 text-[13px]">{renderContent(part)}</div>;
}

function renderContent(part: Part) {
  switch (part.kind) {
    case 'note':
      return part.text;
    case 'key':
      return <KeyUsage usage={part.key} />;
    case 'entry':
      return <Entry entry={part.entry} />;
  }
}

function KeyUsage({ usage: { keyId, keyName, tags, hours } }: { usage: DayParts['keys'][number] }) {
  return (
    <>
      <Link
        to={paths.key}
        params={{ keyId }}
        className="inline-block max-w-full truncate rounded-sm align-bottom hover:underline"
        title={keyName ?? keyId}
      >
        {keyName ?? keyId}
      </Link>
      <div className="truncate text-[12.5px] text-ink-3">
        {['Usage', formatPlural(hours, 'hour'), ...tags].join(' · ')}
      </div>
    </>
  );
}

function Entry({ entry: { at, kind, reason, document } }: { entry: DayParts['entries'][number] }) {
  return (
    <>
      {ENTRY_LABELS[kind].one}
      <div className="text-[12.5px] break-words text-ink-3">
        <Moment iso={at} />
        {document !== null && (
          <>
            {' · '}
            <DocumentLink {...document} />
          </>
        )}
        {reason !== null && ` · ${reason}`}
      </div>
    </>
  );
}

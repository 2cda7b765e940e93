import { isTruncatedUsage } from '@tollgate/core/money/rates/raw-usage';
import { useMemo } from 'react';
import { CopyButton } from '../../../components/ui/copy-button.tsx';
import { indentJson } from './indent-json.ts';

/** The stored usage object of the provider, collapsed. Only operators get it, because it may contain provider prices. */
export function ReportedUsage({ rawUsage }: { rawUsage: string | null }) {
  const text = useMemo(() => (rawUsage === null ? null : (indentJson(rawUsage) ?? rawUsage)), [rawUsage]);
  if (rawUsage === null) return null;
  return (
    <details className="text-[12.5px] text-ink-2">
      <summary className="cursor-pointer rounded-sm text-ink-3 hover:text-ink-2 pointer-coarse:py-2.5">
        Usage reported by the provider
      </summary>
      <div className="mt-1 flex items-center gap-2">
        <span className="min-w-0 flex-1 text-ink-3">
          {isTruncatedUsage(rawUsage) && 'Too large to store in full.'}
        </span>
        <CopyButton text={rawUsage} label="Copy reported usage" isIconOnly size="icon" variant="ghost" />
      </div>
      <pre
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls takes the focus
        tabIndex={0}
        className="mt-1 max-h-[420px] overflow-auto rounded-lg border bg-sunken px-[13px] py-[11px] font-mono text-[12.5px]/[19px] wrap-anywhere whitespace-pre-wrap"
      >
        {text}
      </pre>
    </details>
  );
}

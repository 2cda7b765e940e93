import { Download } from 'lucide-react';
import { usageExportPath, type ExportFormat } from '../../app/paths.ts';
import { Button } from '../../components/ui/button.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '../../components/ui/dropdown-menu.tsx';
import { visitorTimeZone } from '../../lib/format/time-zone.ts';
import type { UsageChoice } from './choice.ts';

/** The same usage as a file: every group of every step, none of them summed up as others. */
export function ExportMenu({ accountId, choice }: { accountId: string; choice: UsageChoice }) {
  const href = (format: ExportFormat) => usageExportPath(format, toParameters(accountId, choice));
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button>
          <Download aria-hidden className="size-4" />
          Export
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        <DropdownMenuItem asChild>
          <a href={href('csv')} download>
            CSV, for spreadsheets
          </a>
        </DropdownMenuItem>
        <DropdownMenuItem asChild>
          <a href={href('json')} download>
            JSON, for programs
          </a>
        </DropdownMenuItem>
        <DropdownMenuItem asChild>
          <a href={href('ndjson')} download>
            NDJSON, a line for each
          </a>
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

function toParameters(
  accountId: string,
  { span, step, group, keyId, model }: UsageChoice,
): Record<string, string> {
  return {
    accountId,
    ...spanParameters(span),
    step,
    group,
    zone: visitorTimeZone(),
    ...(keyId !== undefined && { key: keyId }),
    ...(model !== undefined && { model }),
  };
}

function spanParameters(span: UsageChoice['span']): Record<string, string> {
  switch (span.kind) {
    case 'days':
      return { days: String(span.days) };
    case 'months':
      return { months: String(span.months) };
    case 'dates':
      return { from: span.from, to: span.to };
  }
}

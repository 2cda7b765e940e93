import { Download } from 'lucide-react';
import type { ExportFormat } from '../../lib/paths.ts';
import { Button } from '../ui/button.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuTrigger,
} from '../ui/dropdown-menu.tsx';

const FORMATS = [
  ['csv', 'CSV (spreadsheets)'],
  ['json', 'JSON (array)'],
  ['ndjson', 'NDJSON (one object per line)'],
] as const satisfies readonly (readonly [ExportFormat, string])[];

/** What a page lists, as a file that the server streams. */
export function ExportMenu({ getHref }: { getHref: (format: ExportFormat) => string }) {
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button>
          <Download aria-hidden className="size-[15px]" />
          Export
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        <DropdownMenuLabel>Export filtered results</DropdownMenuLabel>
        {FORMATS.map(([format, label]) => (
          <DropdownMenuItem key={format} asChild>
            <a href={getHref(format)} download>
              {label}
            </a>
          </DropdownMenuItem>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

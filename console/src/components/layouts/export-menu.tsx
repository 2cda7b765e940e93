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

interface ExportMenuProps {
  getHref: (format: ExportFormat) => string;
  /** What the file contains. */
  title?: string;
  /** In the header of a card. */
  isSmall?: boolean;
}

/** What a page or a card lists, as a file that the server streams. */
export function ExportMenu({ getHref, title = 'Export filtered results', isSmall = false }: ExportMenuProps) {
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button size={isSmall ? 'sm' : 'md'} title={title}>
          <Download aria-hidden className="size-[15px]" />
          Export
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        <DropdownMenuLabel>{title}</DropdownMenuLabel>
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

import { Download } from 'lucide-react';
import type { RequestFilter } from '@tollgate/core/request-filter';
import { requestExportPath } from '../../app/paths.ts';
import { Button } from '../../components/ui/button.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuTrigger,
} from '../../components/ui/dropdown-menu.tsx';

/** What the filter finds, as a file that the server streams. */
export function ExportMenu({ accountId, filter }: { accountId: string; filter: RequestFilter }) {
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button>
          <Download aria-hidden className="size-[15px]" />
          Export
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        <DropdownMenuLabel>All that the filters find</DropdownMenuLabel>
        <DropdownMenuItem asChild>
          <a href={requestExportPath('csv', accountId, filter)} download>
            CSV, for spreadsheets
          </a>
        </DropdownMenuItem>
        <DropdownMenuItem asChild>
          <a href={requestExportPath('json', accountId, filter)} download>
            JSON, for programs
          </a>
        </DropdownMenuItem>
        <DropdownMenuItem asChild>
          <a href={requestExportPath('ndjson', accountId, filter)} download>
            NDJSON, a line for each
          </a>
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

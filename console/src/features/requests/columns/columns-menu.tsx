import { Columns3 } from 'lucide-react';
import { Button } from '../../../components/ui/button.tsx';
import {
  DropdownMenu,
  DropdownMenuCheckboxItem,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '../../../components/ui/dropdown-menu.tsx';
import { COLUMN_TITLES, LOG_COLUMNS, type ChosenColumns, type LogColumn } from './log-columns.ts';

interface ColumnsMenuProps {
  chosen: ChosenColumns;
  /** null: the columns of the start. */
  onChoose: (shown: readonly LogColumn[] | null) => void;
  isOpenAtFirst: boolean;
}

/** Chooses the columns of the log. */
export function ColumnsMenu({ chosen: { shown, isDefault }, onChoose, isOpenAtFirst }: ColumnsMenuProps) {
  return (
    <DropdownMenu defaultOpen={isOpenAtFirst}>
      <DropdownMenuTrigger asChild>
        <Button>
          <Columns3 aria-hidden className="size-[15px]" />
          Columns
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end" className="max-w-64">
        <DropdownMenuLabel>A narrow table shows fewer columns</DropdownMenuLabel>
        {LOG_COLUMNS.map((column) => (
          <DropdownMenuCheckboxItem
            key={column}
            checked={shown.includes(column)}
            onCheckedChange={(isShown) =>
              onChoose(isShown ? [...shown, column] : shown.filter((other) => other !== column))
            }
          >
            {COLUMN_TITLES[column]}
          </DropdownMenuCheckboxItem>
        ))}
        <DropdownMenuSeparator />
        <DropdownMenuItem disabled={isDefault} onSelect={() => onChoose(null)}>
          Reset columns
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

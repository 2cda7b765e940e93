import { useEffect } from 'react';
import { cn } from '../../../lib/cn.ts';
import { PALETTE_GROUPS, type PaletteItem } from './palette-item.ts';

interface PaletteListProps {
  id: string;
  items: PaletteItem[];
  activeIndex: number;
  onHover: (index: number) => void;
  onRun: (item: PaletteItem) => void;
}

export function optionId(id: string, index: number): string {
  return `${id}-option-${index}`;
}

export function PaletteList({ id, items, activeIndex, onHover, onRun }: PaletteListProps) {
  useEffect(() => {
    document.getElementById(optionId(id, activeIndex))?.scrollIntoView({ block: 'nearest' });
  }, [id, activeIndex]);
  return (
    <div
      id={`${id}-list`}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a native list takes no groups with icons
      role="listbox"
      aria-label="Results"
      className="max-h-[min(420px,60dvh)] overflow-y-auto p-1.5"
    >
      {PALETTE_GROUPS.filter((group) => items.some((item) => item.group === group)).map((group) => (
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset is for forms
        <div key={group} role="group" aria-label={group}>
          <div aria-hidden className="px-2.5 pt-2 pb-1 text-xs text-ink-3">
            {group}
          </div>
          {items.map((item, index) =>
            item.group === group ? (
              <Option
                key={`${item.group} ${item.id}`}
                id={optionId(id, index)}
                item={item}
                isActive={index === activeIndex}
                onHover={() => onHover(index)}
                onRun={() => onRun(item)}
              />
            ) : null,
          )}
        </div>
      ))}
    </div>
  );
}

interface OptionProps {
  id: string;
  item: PaletteItem;
  isActive: boolean;
  onHover: () => void;
  onRun: () => void;
}

function Option({ id, item, isActive, onHover, onRun }: OptionProps) {
  const { icon: Icon } = item;
  return (
    // The keyboard is handled in the field, which keeps the focus.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={id}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- as the list
      role="option"
      aria-selected={isActive}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onRun}
      onMouseMove={onHover}
      className={cn(
        'flex min-h-9 items-center gap-2.5 rounded-md px-2.5 pointer-coarse:min-h-11',
        isActive && 'bg-sunken',
      )}
    >
      <Icon aria-hidden strokeWidth={1.8} className="size-4 shrink-0 text-ink-3" />
      <span className="min-w-0 truncate">{item.label}</span>
      {item.hint !== undefined && (
        <span className="ml-auto shrink-0 font-mono text-xs text-ink-3">{item.hint}</span>
      )}
    </div>
  );
}

import { KEY_SCOPE_LIMITS } from '@tollgate/core/keys/key-scope';
import { useState, type KeyboardEvent } from 'react';
import type { Model } from '../../../lib/trpc.ts';
import { matchModels } from '../../../lib/match-models.ts';
import { matchPattern, type PatternMatch } from '../../../lib/match-pattern.ts';

/** An entry of the list: a model, or a pattern that was typed. */
export type PickerOption = Model | PatternMatch;

interface ModelPickerInput {
  models: Model[];
  chosen: string[];
  onChange: (models: string[]) => void;
}

/**
 * State of a multi-select combobox: text, open list and active option
 * (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/). Arrows move, Enter toggles an option, Backspace in an
 * empty field removes the last one, Esc closes the list. Text such as `claude-*` offers a pattern.
 */
export function useModelPicker({ models, chosen, onChange }: ModelPickerInput) {
  const [text, setText] = useState('');
  const [isOpen, setIsOpen] = useState(false);
  const [wantedIndex, setActiveIndex] = useState(0);
  const pattern = matchPattern(models, text);
  const matches: PickerOption[] =
    pattern === null ? matchModels(models, text) : [pattern.option, ...pattern.models];
  const activeIndex = Math.min(wantedIndex, matches.length - 1);

  const toggle = (model: string) => {
    const isChosen = chosen.includes(model);
    if (!isChosen && chosen.length >= KEY_SCOPE_LIMITS.models) return;
    onChange(isChosen ? chosen.filter((other) => other !== model) : [...chosen, model]);
    setText('');
    // Keep the model active in the full list, so that a second Enter undoes the first.
    setActiveIndex(
      Math.max(
        0,
        models.findIndex(({ id }) => id === model),
      ),
    );
  };
  const type = (next: string) => {
    setText(next);
    setActiveIndex(0);
    setIsOpen(true);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.metaKey || event.ctrlKey) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setIsOpen(true);
      if (!isOpen || matches.length === 0) return;
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setActiveIndex((activeIndex + step + matches.length) % matches.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const active = matches[activeIndex];
      if (isOpen && active !== undefined) toggle(active.id);
      else setIsOpen(true);
    } else if (event.key === 'Escape') {
      setIsOpen(false);
    } else if (event.key === 'Backspace' && text === '') {
      onChange(chosen.slice(0, -1));
    }
  };
  return { text, type, isOpen, setIsOpen, matches, activeIndex, setActiveIndex, toggle, onKeyDown };
}

import { parseUsd } from '@tollgate/core/money/money';
import { useEffect, useState } from 'react';
import { MoneyInput } from '../../../components/ui/money-input.tsx';

const DEBOUNCE_MS = 400;

/** Minimum cost in USD, debounced. */
export function CostFilter(props: {
  minCost: string | undefined;
  onChange: (minCost: string | undefined) => void;
}) {
  const { minCost = '', onChange } = props;
  const [text, setText] = useState(minCost);
  const [applied, setApplied] = useState(minCost);
  // Sync the field when the URL changes, for example after "back".
  if (minCost !== applied) {
    setApplied(minCost);
    setText(minCost);
  }
  const wanted = text.trim();
  const isWrong = wanted !== '' && parseUsd(wanted) === null;
  useEffect(() => {
    if (wanted === minCost || isWrong) return undefined;
    const timer = setTimeout(() => {
      setApplied(wanted);
      onChange(wanted === '' ? undefined : wanted);
    }, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [wanted, isWrong, minCost, onChange]);
  return (
    <MoneyInput
      aria-label="Min cost in USD"
      aria-invalid={isWrong || undefined}
      title={isWrong ? 'Enter an amount in USD, such as 0.05' : 'Min cost'}
      placeholder="Min cost"
      maxLength={24}
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  );
}

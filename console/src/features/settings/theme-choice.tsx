import { Segmented } from '../../components/ui/segmented.tsx';
import { chooseTheme, useTheme } from '../../lib/theme.ts';
import { Section } from './section.tsx';

const OPTIONS = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'system', label: 'System' },
] as const;

export function ThemeChoice() {
  const theme = useTheme();
  return (
    <Section title="Theme" description="Saved in this browser.">
      <Segmented label="Theme" value={theme} options={OPTIONS} onValueChange={chooseTheme} />
    </Section>
  );
}

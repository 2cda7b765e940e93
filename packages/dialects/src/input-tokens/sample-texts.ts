/**
 * Takes samples that lie evenly over texts, as if they were one text.
 * @param characters of all texts together; more than the samples have
 */
export function sampleTexts(
  texts: readonly string[],
  {
    characters,
    samples,
    sampleCharacters,
  }: { characters: number; samples: number; sampleCharacters: number },
): string[] {
  const stride = characters / samples;
  const taken: string[] = [];
  let index = 0;
  let before = 0;
  for (let sample = 0; sample < samples; sample += 1) {
    const start = Math.floor(sample * stride);
    let length = texts[index]?.length ?? 0;
    while (index < texts.length && before + length <= start) {
      before += length;
      index += 1;
      length = texts[index]?.length ?? 0;
    }
    takeSample(taken, texts, { index, offset: start - before, characters: sampleCharacters });
  }
  return taken;
}

function takeSample(
  taken: string[],
  texts: readonly string[],
  from: { index: number; offset: number; characters: number },
): void {
  let { index, offset, characters } = from;
  while (characters > 0 && index < texts.length) {
    const piece = texts[index]?.slice(offset, offset + characters) ?? '';
    if (piece !== '') taken.push(piece);
    characters -= piece.length;
    index += 1;
    offset = 0;
  }
}

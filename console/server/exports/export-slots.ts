/** Holds people to so many exports at a time: each asks the database for one page after the other. */
export interface ExportSlots {
  /** @returns a function that releases the slot, once; null if all of the user's slots are in use */
  take(userId: string): (() => void) | null;
}

export function createExportSlots(maxPerPerson: number): ExportSlots {
  const running = new Map<string, number>();
  return {
    take(userId) {
      const own = running.get(userId) ?? 0;
      if (own >= maxPerPerson) return null;
      running.set(userId, own + 1);
      return () => {
        const left = (running.get(userId) ?? 1) - 1;
        if (left === 0) running.delete(userId);
        else running.set(userId, left);
      };
    },
  };
}

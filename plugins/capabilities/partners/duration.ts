/** Describes a time span in one or two units, such as `45 s`, `3 h 20 min` or `12 days`. */
export function describeDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  if (whole < 120) return `${whole} s`
  const minutes = Math.floor(whole / 60)
  if (minutes < 120) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
  return `${Math.floor(hours / 24)} days`
}

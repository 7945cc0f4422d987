/** IDs of the model's conversations. The app is in the first six. */
export const channels = {
  general: 'C0GENERAL00',
  releases: 'C0RELEASES0',
  builds: 'C0BUILDS000',
  direct: 'D0DIRECT000',
  group: 'C0GROUPDM00',
  shared: 'C0SHARED000',
  notJoined: 'C0NOTJOINED',
  archived: 'C0ARCHIVED0',
} as const

/** ID of `shared` before it was shared with another organization. */
export const formerShared = 'G0SHARED000'

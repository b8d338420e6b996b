export { type DrawnProfile, type DrawOptions, drawProfile } from "./draw-profile.ts";
export { cleanProfileText, MAX_PROFILE_CHARACTERS } from "./profile-text.ts";

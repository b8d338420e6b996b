"use strict";

const PICTURE_MS = 8000;

async function takePicture(page, request) {
  const notes = [];
  try {
    if (request.fullPage) {
      const whole = await capture(page, await wholePage(page, request, notes));
      if (whole.length <= request.maxPictureBytes) return { picture: whole, notes };
      notes.push("the picture of the whole page is too large: this is its top");
    }
    const picture = await capture(page, {});
    if (picture.length <= request.maxPictureBytes) return { picture, notes };
    notes.push(`there is no picture: it has ${picture.length} bytes, and ${request.maxPictureBytes} are allowed`);
  } catch (error) {
    notes.push(`there is no picture: ${error.message}`);
  }
  return { picture: null, notes };
}

async function wholePage(page, { width, height, maxPictureHeight }, notes) {
  const { cssContentSize } = await page.ask("Page.getLayoutMetrics", {}, PICTURE_MS);
  const tall = Math.max(height, Math.ceil(cssContentSize.height));
  if (tall > maxPictureHeight) notes.push(`the page is ${tall} pixels high: the picture ends at ${maxPictureHeight}`);
  const clip = { x: 0, y: 0, width, height: Math.min(tall, maxPictureHeight), scale: 1 };
  return { captureBeyondViewport: true, clip };
}

async function capture(page, options) {
  const { data } = await page.ask("Page.captureScreenshot", { format: "png", ...options }, PICTURE_MS);
  return Buffer.from(data, "base64");
}

module.exports = { takePicture };

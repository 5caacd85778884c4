"""Google's Gemini models, through google-genai."""

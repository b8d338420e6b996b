quit()
